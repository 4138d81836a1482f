import { z } from 'zod';
import { badRequest, CosmosError } from '#gateway/emulator/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '#gateway/emulator/json.ts';
import type { Expression } from '#gateway/emulator/query/ast.ts';
import { evaluate } from '#gateway/emulator/query/evaluate.ts';
import { LIMITS } from './limits.ts';

const Operation = z.object({
  op: z.string(),
  path: z.string().startsWith('/'),
  /** Where a `move` takes its value from. */
  from: z.string().startsWith('/').optional(),
  value: z.unknown().optional(),
});

const Patch = z.union([
  z.object({ operations: z.array(Operation), condition: z.string().optional() }),
  z.array(Operation).transform((operations) => ({ operations, condition: undefined })),
]);

export type Patch = z.infer<typeof Patch>;
type Operation = z.infer<typeof Operation>;

export function parsePatch(body: unknown): Patch {
  const parsed = Patch.safeParse(body);
  if (!parsed.success) throw badRequest(`The patch is not valid: ${z.prettifyError(parsed.error)}`);
  const count = parsed.data.operations.length;
  if (count < 1 || count > LIMITS.patchOperations) {
    throw badRequest(`A patch has 1 to ${LIMITS.patchOperations} operations, this one has ${count}.`);
  }
  return parsed.data;
}

/** Patches a document that nobody else holds. 412 when the condition does not hold, 400 when an operation does not fit. */
export function applyPatch(document: JsonObject, patch: Patch, parseCondition: (text: string) => Expression): void {
  if (patch.condition !== undefined && evaluate(parseCondition(patch.condition), document) !== true) {
    throw new CosmosError(412, 'The condition of the patch does not hold.', { subStatus: 1110 });
  }
  for (const operation of patch.operations) applyOne(document, operation);
}

const OWNED = new Set(['id', '_rid', '_self', '_etag', '_ts', '_attachments']);

function applyOne(document: JsonObject, operation: Operation): void {
  if (operation.op === 'move') move(document, operation);
  else change(document, operation);
}

/** A `remove` and an `add`; the value may not move into itself. */
function move(document: JsonObject, { path, from }: Operation): void {
  if (from === undefined) throw badRequest('The patch operation move needs a from.');
  if (path.startsWith(`${from}/`)) throw badRequest(`${from} cannot move into itself.`);
  const value = stepsOf(from).reduce<unknown>(step, document);
  change(document, { op: 'remove', path: from });
  change(document, { op: 'add', path, value });
}

function change(document: JsonObject, operation: Operation): void {
  const steps = [...stepsOf(operation.path)];
  const last = steps.pop() ?? '';
  if (steps.length === 0 && OWNED.has(last)) throw badRequest(`A patch cannot change /${last}.`);
  const parent = steps.reduce<unknown>(step, document);
  if (Array.isArray(parent)) patchArray(parent, last, operation);
  else if (isJsonObject(parent)) patchObject(parent as Record<string, Json>, last, operation);
  else throw badRequest(`The parent of ${operation.path} does not exist.`);
}

const stepsOf = (path: string): readonly string[] =>
  path
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

function step(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function patchObject(parent: Record<string, Json>, name: string, operation: Operation): void {
  const exists = Object.hasOwn(parent, name);
  switch (operation.op) {
    case 'add':
    case 'set':
      define(parent, name, operandOf(operation));
      break;
    case 'replace':
      requirePresent(exists, operation);
      define(parent, name, operandOf(operation));
      break;
    case 'remove':
      requirePresent(exists, operation);
      delete parent[name];
      break;
    case 'incr':
      define(parent, name, incremented(exists ? parent[name] : 0, operation));
      break;
    default:
      throw badRequest(`The patch operation ${operation.op} is not supported here.`);
  }
}

/** In an array `add` inserts and `set` overwrites; both append at the end, which `-` names too. */
function patchArray(parent: Json[], name: string, operation: Operation): void {
  const at = name === '-' ? parent.length : Number(name);
  if (!/^(\d+|-)$/.test(name) || at > parent.length) throw badRequest(`${operation.path} is outside of its array.`);
  const exists = at < parent.length;
  switch (operation.op) {
    case 'add':
      parent.splice(at, 0, operandOf(operation));
      break;
    case 'set':
      parent[at] = operandOf(operation);
      break;
    case 'replace':
      requirePresent(exists, operation);
      parent[at] = operandOf(operation);
      break;
    case 'remove':
      requirePresent(exists, operation);
      parent.splice(at, 1);
      break;
    case 'incr':
      requirePresent(exists, operation);
      parent[at] = incremented(parent[at], operation);
      break;
    default:
      throw badRequest(`The patch operation ${operation.op} is not supported here.`);
  }
}

function requirePresent(exists: boolean, { op, path }: Operation): void {
  if (!exists) throw badRequest(`${path} does not exist, so ${op} does not apply.`);
}

/** Plain assignment would follow the prototype for the name `__proto__`. */
function define(parent: Record<string, Json>, name: string, value: Json): void {
  Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
}

function operandOf(operation: Operation): Json {
  if (operation.value === undefined) throw badRequest(`The patch operation ${operation.op} needs a value.`);
  return operation.value as Json;
}

function incremented(current: Json | undefined, operation: Operation): number {
  const by = operandOf(operation);
  if (typeof by !== 'number' || typeof current !== 'number') throw badRequest(`${operation.path} is not a number.`);
  return current + by;
}
