'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { definitionsQuery } from '#components/definitions/queries.ts';
import { useShell } from '#components/shell/queries.ts';
import { Empty } from '#components/ui/empty.tsx';
import { QueryView } from '#components/ui/query-view.tsx';
import { ScopeBar, ScopeSelect } from '#components/ui/scope-bar.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { Definition } from '#gateway/contract/definitions/definition.ts';
import type { DefinitionDetail } from '#server/contract/definitions.ts';
import { clientSnippetOf } from './client-snippet.ts';
import { ReceivedLine } from './received-line.tsx';
import { curlOf, exportLine, operationsOf, type SnippetTarget, typescriptOf } from './snippets.ts';

interface TypeCodeProps {
  readonly detail: DefinitionDetail;
  /** Beside the overview: the shell lines only. */
  readonly isBrief?: boolean;
}

/** Snippets that work as pasted, for one tenant and operation, and what the gateway received because of them. */
export function TypeCode({ detail, isBrief = false }: TypeCodeProps) {
  const shell = useShell();
  const tenants = useTenants(detail);
  const [tenant, setTenant] = useState<string>();
  const [operationId, setOperation] = useState<string>();
  const { kind, name } = detail.definition;
  if (kind !== 'objectType' && kind !== 'edgeType') return null;
  const chosen = tenant ?? tenants[0];
  return (
    <QueryView query={shell} label="Code" rows={4}>
      {({ gatewayUrl, demoKeyCommand }) => {
        const target = targetOf(detail.definition, gatewayUrl, chosen ?? '');
        if (target === undefined || chosen === undefined) return <NoTenant />;
        const operations = operationsOf(target);
        const operation = operations.find((each) => each.id === operationId) ?? operations[0];
        return (
          <section aria-label="Code" className="grid min-w-0 content-start gap-3">
            <ScopeBar label="What the code does">
              <ScopeSelect label="Tenant" value={chosen} options={tenants.map(asOption)} onChange={setTenant} />
              <ScopeSelect
                label="Does"
                value={operation.id}
                options={operations.map(({ id, words }) => ({ value: id, label: words }))}
                onChange={setOperation}
              />
            </ScopeBar>
            <Snippet title="Shell · your key" code={exportLine(demoKeyCommand)} />
            {demoKeyCommand === undefined && <KeyHint detail={detail} />}
            <Snippet
              title={`curl · ${operation.id}`}
              code={curlOf(operation)}
              result={
                <ReceivedLine
                  kind={kind}
                  name={name}
                  like={{ operation: operation.id, tenant: chosen, objectId: target.id }}
                />
              }
            />
            {!isBrief && (
              <>
                <Snippet title={`TypeScript · ${operation.id}`} code={typescriptOf(operation)} />
                <Snippet
                  title={`TypeScript with the client · ${operation.id}`}
                  code={clientSnippetOf(operation, target)}
                />
              </>
            )}
          </section>
        );
      }}
    </QueryView>
  );
}

/** Tenants to call for: those whose principals may use the type first, then the others. */
function useTenants(detail: DefinitionDetail): readonly string[] {
  const all = useQuery(definitionsQuery({ kind: 'tenant', limit: 200 })).data;
  const users = detail.users.map((user) => user.tenant);
  return [...new Set([...users, ...(all?.items ?? []).map((row) => row.name)])];
}

function targetOf(definition: Definition, gatewayUrl: string, tenant: string): SnippetTarget | undefined {
  if (definition.kind === 'objectType')
    return { kind: 'objectType', gatewayUrl, tenant, type: definition.name, id: 'hello' };
  if (definition.kind !== 'edgeType') return undefined;
  const { from } = definition.document;
  return { kind: 'edgeType', gatewayUrl, tenant, type: definition.name, from, id: 'hello', toId: 'world' };
}

const asOption = (value: string) => ({ value, label: value });

function NoTenant() {
  return (
    <Empty acts={<TextLink href="/changes/new?add=tenant">Register a tenant</TextLink>}>
      No tenant yet, so there is nobody to call for. Data, keys and quotas belong to a tenant.
    </Empty>
  );
}

function KeyHint({ detail }: { readonly detail: DefinitionDetail }) {
  const [user] = detail.users;
  return (
    <p className="text-ink-2">
      Put a key of a principal between the quotes.{' '}
      {user !== undefined && (
        <TextLink href={`/principals/${encodeURIComponent(user.principal)}`}>
          Make a 24-hour trial key of {user.principal}
        </TextLink>
      )}
    </p>
  );
}
