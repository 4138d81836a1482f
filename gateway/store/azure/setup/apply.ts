import type { CosmosClient } from '@azure/cosmos';
import { DATABASE } from '#gateway/store/layout/container.ts';
import { readAccountState } from './account-state.ts';
import { type Change, type Plan, planSetup, type Wish } from './plan.ts';

/** Makes one change. Repeating it does no harm: what is there already stays. */
export async function applyChange(client: CosmosClient, change: Change): Promise<void> {
  const database = client.database(DATABASE);
  switch (change.kind) {
    case 'create database':
      await client.databases.createIfNotExists({ id: DATABASE });
      return;
    case 'create container': {
      const scale = change.maxRu === null ? {} : { maxThroughput: change.maxRu };
      await database.containers.createIfNotExists({ ...change.layout, ...scale });
      return;
    }
    case 'replace container':
      await replaceContainer(client, change);
      return;
    case 'scale':
      await scaleContainer(client, change);
      return;
    default:
      change satisfies never;
  }
}

/** What is still to be done: asked once more after the changes, since only the account knows. */
export async function readPlan(client: CosmosClient, wishes: readonly Wish[]): Promise<Plan> {
  const ids = wishes.map(({ layout }) => layout.id);
  return planSetup(await readAccountState(client, ids), wishes);
}

/** Keeps what the layout says nothing of, as conflict resolution and the change feed's policy. */
async function replaceContainer(
  client: CosmosClient,
  { layout }: Extract<Change, { kind: 'replace container' }>,
): Promise<void> {
  const container = client.database(DATABASE).container(layout.id);
  const { resource } = await container.read();
  await container.replace({ ...resource, ...layout });
}

async function scaleContainer(
  client: CosmosClient,
  { offerId, toRu }: Extract<Change, { kind: 'scale' }>,
): Promise<void> {
  const offer = client.offer(offerId);
  const { resource } = await offer.read();
  const content = resource?.content;
  if (resource === undefined || content?.offerAutopilotSettings === undefined) return;
  const offerAutopilotSettings = { ...content.offerAutopilotSettings, maxThroughput: toRu };
  await offer.replace({ ...resource, content: { ...content, offerAutopilotSettings } });
}
