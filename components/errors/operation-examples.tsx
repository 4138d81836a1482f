'use client';

import { useState } from 'react';
import { exportLine } from '#components/registry/snippets.ts';
import { Empty } from '#components/ui/empty.tsx';
import { Loading } from '#components/ui/loading.tsx';
import { ScopeBar, ScopeSelect } from '#components/ui/scope-bar.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { ApiExample, ApiOperation } from '#gateway/contract/api/api-operation.ts';
import { clientLines, clientSetup } from './client-lines.ts';
import { curlOfExample, type ExampleTarget, exampleRequest, needsOf } from './example-request.ts';
import { type Chosen, type ExampleScope, useExampleScope } from './use-example-target.ts';

/** The examples of an operation as commands that run as printed against this installation. */
export function OperationExamples({ call }: { readonly call: ApiOperation }) {
  const [chosen, setChosen] = useState<Chosen>({});
  const scope = useExampleScope(chosen);
  if (scope === undefined) return <Loading label="Examples" />;
  const { target } = scope;
  if (target === null) return <NothingYet hasTenant={scope.tenants.length > 0} />;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <Choices scope={scope} target={target} call={call} onChoose={setChosen} />
      <Snippet title="Shell · your key" code={exportLine(scope.demoKeyCommand)} />
      <Commands call={call} target={target} />
    </div>
  );
}

function Commands({ call, target }: { readonly call: ApiOperation; readonly target: ExampleTarget }) {
  const lack = lackOf(call, target);
  if (lack !== null) {
    return <Empty acts={<TextLink href="/changes/new?add=edgeType">Register an edge type</TextLink>}>{lack}</Empty>;
  }
  const setup = clientSetup(target, needsOf(call) !== 'objectType');
  return (
    <>
      {call.examples.map((example) => (
        <Snippet
          key={example.name}
          title={`curl · ${example.says}`}
          code={curlOfExample(exampleRequest(call, example, target))}
          result={<Answer example={example} />}
        />
      ))}
      <Snippet title="TypeScript · the client library" code={`${setup}\n\n${clientLines(call.id, target)}`} />
    </>
  );
}

/** What the example is answered the first time, on empty data. */
function Answer({ example: { reply } }: { readonly example: ApiExample }) {
  return (
    <div className="grid gap-1 text-meta">
      <span className="text-ink-3">{`answers ${reply.status}`}</span>
      {reply.body !== undefined && (
        <code className="overflow-x-auto whitespace-pre-wrap break-words font-mono">{JSON.stringify(reply.body)}</code>
      )}
    </div>
  );
}

interface ChoicesProps {
  readonly scope: ExampleScope;
  readonly target: ExampleTarget;
  readonly call: ApiOperation;
  readonly onChoose: (change: (chosen: Chosen) => Chosen) => void;
}

function Choices({ scope, target, call, onChoose }: ChoicesProps) {
  return (
    <ScopeBar label="What the examples call">
      <ScopeSelect
        label="Tenant"
        value={target.tenant}
        options={scope.tenants.map(asOption)}
        onChange={(tenant) => onChoose((chosen) => ({ ...chosen, tenant }))}
      />
      <ScopeSelect
        label="Object type"
        value={target.from}
        options={scope.objectTypes.map(asOption)}
        onChange={(objectType) => onChoose((chosen) => ({ ...chosen, objectType, edgeType: undefined }))}
      />
      {needsOf(call) !== 'objectType' && target.edgeType !== null && (
        <ScopeSelect
          label="Edge type"
          value={target.edgeType}
          options={scope.edgeTypes.map(asOption)}
          onChange={(edgeType) => onChoose((chosen) => ({ ...chosen, edgeType }))}
        />
      )}
    </ScopeBar>
  );
}

const asOption = (value: string) => ({ value, label: value });

/** What the installation lacks for the examples of an operation; null when nothing. */
function lackOf(call: ApiOperation, { from, edgeType, to, otherEdgeType }: ExampleTarget): string | null {
  const needs = needsOf(call);
  if (needs === 'objectType') return null;
  if (edgeType === null) return `No edge type starts at ${from} yet, so there is nothing to show this on.`;
  if (needs === 'edgeType' || otherEdgeType !== null) return null;
  return `${edgeType} is the only edge type from ${from} to ${to}. An edge changes to a type with the same ends.`;
}

function NothingYet({ hasTenant }: { readonly hasTenant: boolean }) {
  return (
    <Empty
      acts={
        <TextLink href={`/changes/new?add=${hasTenant ? 'objectType' : 'tenant'}`}>
          {hasTenant ? 'Register an object type' : 'Register a tenant'}
        </TextLink>
      }
    >
      {hasTenant
        ? 'No type yet, so there is nothing to call for. A type says what may be stored and how it connects.'
        : 'No tenant yet, so there is nobody to call for. Data, keys and quotas belong to a tenant.'}
    </Empty>
  );
}
