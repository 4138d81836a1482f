import { beforeEach, describe, expect, it } from 'vitest';
import { changesFor } from '#server/changes/changes-for.ts';
import { Inbox } from '#server/contract/shell.ts';
import { closeItem } from '#server/home/close-item.ts';
import { inboxWith } from '#server/home/inbox.ts';
import { addRelease, NOON, openBareConsole, type TestPerson } from '#test/support/bare-console.ts';
import {
  ANA,
  addAnswer,
  addChange,
  addGateway,
  approveChange,
  BO,
  OLGA,
  resetScene,
  SAM,
} from '#test/support/home-scene.ts';

const test = await openBareConsole();
const { db, clock } = test;
const inbox = async (who: TestPerson) => Inbox.parse(await inboxWith(changesFor)(test.ctxOf(who))).items;

beforeEach(async () => {
  clock.nowMs = NOON;
  await resetScene(db);
});

describe('inbox', () => {
  it('asks the second engineer for a review, not the author, and is empty when it was given', async () => {
    await addChange(db, 1, 'in review');
    expect(await inbox(BO)).toMatchObject([
      {
        id: 'review:1',
        kind: 'review',
        href: '/changes/1',
        text: '∆1 Change 1 · Ana Ruiz asks for a review by team chat',
        atMs: NOON - 60_000,
        closable: false,
      },
    ]);
    expect(await inbox(ANA)).toEqual([]);
    expect(await inbox(SAM)).toEqual([]);
    await approveChange(db, 1);
    expect(await inbox(BO)).toEqual([]);
    expect(await inbox(ANA)).toMatchObject([{ kind: 'change', text: '∆1 Change 1 · approved, publish it' }]);
    await db.change.update({ where: { number: 1 }, data: { state: 'published', releaseNumber: 1 } });
    expect(await inbox(ANA)).toEqual([]);
  });

  it('tells the author of a voided approval, of asked work and of an outdated change', async () => {
    await addChange(db, 1, 'draft', { voided: true });
    await addChange(db, 2, 'needs work');
    await addChange(db, 3, 'outdated');
    await addChange(db, 4, 'draft');
    expect((await inbox(ANA)).map(({ text }) => text)).toEqual([
      '∆1 Change 1 · the approval of Bo Lind was voided by an edit',
      expect.stringMatching(/^∆2 Change 2 · needs work\./),
      expect.stringMatching(/^∆3 Change 3 · outdated\./),
    ]);
    expect(await inbox(BO)).toEqual([]);
  });

  it('shows operators a gateway that rejected the target until it serves it', async () => {
    await addRelease(db, 1, NOON - 600_000);
    const r2 = await addRelease(db, 2, NOON - 60_000);
    await addGateway(db, 'gw-a');
    const ack = await addAnswer(db, 'gw-a', 'rejected', r2, 'does not know the kind "view"');
    expect(await inbox(OLGA)).toMatchObject([
      {
        id: 'gateway:gw-a',
        text: 'gw-a rejected r2 and still serves r1: does not know the kind "view"',
        href: '/releases/2',
      },
    ]);
    expect(await inbox(ANA)).toEqual([]);
    await db.gatewayAck.update({
      where: { gateway_epoch_number: { gateway: ack.gateway, epoch: 1, number: 2 } },
      data: { state: 'live' },
    });
    await db.gateway.update({ where: { name: 'gw-a' }, data: { servesNumber: 2 } });
    expect(await inbox(OLGA)).toEqual([]);
  });

  describe('a follow-up', () => {
    const close = (who: TestPerson, id = 'f1') => closeItem(test.ctxOf(who), { id });

    beforeEach(async () => {
      const text = 'Follow up: Ana revoked key hk_1 of chat-api: leaked';
      const item = {
        id: 'f1',
        kind: 'follow-up',
        role: 'security',
        text,
        href: '/principals/chat-api',
        subject: 'key:1',
      };
      await db.inboxItem.create({ data: { ...item, closable: true, at: new Date(NOON) } });
    });

    it('lies in the inbox of those it is for until one of them closes it, which the log tells once', async () => {
      expect(await inbox(SAM)).toMatchObject([{ id: 'f1', kind: 'follow-up', closable: true }]);
      expect(await inbox(ANA)).toEqual([]);
      await close(SAM);
      await close(SAM);
      expect(await inbox(SAM)).toEqual([]);
      expect(await db.auditEvent.findMany()).toMatchObject([
        { did: 'closed', actor: 'Sam Lee', what: expect.stringContaining('hk_1') },
      ]);
    });

    it('is closed by nobody else', async () => {
      await expect(close(ANA)).rejects.toMatchObject({ code: 'not_found' });
      await expect(close(SAM, 'nothing')).rejects.toMatchObject({ code: 'not_found' });
      await expect(close(SAM, 'review:1')).rejects.toMatchObject({ code: 'wrong_state' });
      await db.inboxItem.update({ where: { id: 'f1' }, data: { closable: false } });
      await expect(close(SAM)).rejects.toMatchObject({ code: 'wrong_state' });
    });
  });
});
