import { z } from 'zod';
import { openApi } from '#gateway/contract/api/openapi.ts';

const Reference = z.strictObject({ $ref: z.string().regex(/^#\/components\/(schemas|headers|examples)\/\w+$/) });
const Schema = z.record(z.string(), z.unknown());
const Example = z.union([Reference, z.strictObject({ summary: z.string().min(3), value: z.unknown() })]);
const Content = z.record(
  z.string().regex(/^(application\/json|text\/plain|\*\/\*)$/),
  z.strictObject({ schema: Schema, examples: z.record(z.string(), Example).optional() }),
);
const Header = z.strictObject({ description: z.string().min(3), required: z.boolean().optional(), schema: Schema });
const Operation = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  summary: z.string().min(3),
  description: z.string().min(3).optional(),
  tags: z.array(z.string()).length(1),
  'x-habitat-operations': z.array(z.string()).min(1).optional(),
  security: z.array(z.never()).optional(),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean(),
        description: z.string().min(3),
        schema: Schema,
      }),
    )
    .optional(),
  requestBody: z.strictObject({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(
    z.string().regex(/^[2345]\d\d$/),
    z.strictObject({
      description: z.string().min(3),
      headers: z.record(z.string(), z.union([Reference, Header])).optional(),
      content: Content.optional(),
    }),
  ),
});

/** What the document uses of https://spec.openapis.org/oas/v3.1.1, closed: a member that is not of it fails. */
export const OpenApiDocument = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string().regex(/^\d+\.\d+\.\d+$/), description: z.string() }),
  servers: z.array(z.strictObject({ url: z.string(), description: z.string() })).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'put', 'post', 'delete']), Operation)),
  components: z.strictObject({
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.literal('http'), scheme: z.literal('bearer') })),
    schemas: z.record(z.string(), Schema),
    headers: z.record(z.string(), Header),
    examples: z.record(z.string(), z.strictObject({ summary: z.string(), value: z.unknown() })),
  }),
});
export type OpenApiDocument = z.infer<typeof OpenApiDocument>;
export type DescribedOperation = z.infer<typeof Operation>;

export const described: OpenApiDocument = OpenApiDocument.parse(openApi('1.2.3'));

/** Every operation of a document with its place. */
export function operationsIn(document: OpenApiDocument) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

/** A schema of a document, with what it refers to, as something that judges a value. */
export function judgeOf(schema: Record<string, unknown>, document: OpenApiDocument): z.ZodType {
  const whole = { ...schema, $defs: document.components.schemas };
  return z.fromJSONSchema(JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')));
}

/** The operation that a path of a request belongs to, and its template. */
export function operationAt(document: OpenApiDocument, method: string, path: string) {
  const segments = path.split('/');
  return operationsIn(document).find((one) => {
    const template = one.path.split('/');
    return (
      one.method === method &&
      template.length === segments.length &&
      template.every((part, index) => fits(part, segments[index] ?? ''))
    );
  });
}

function fits(part: string, segment: string): boolean {
  const [, suffix] = /^\{\w+\}(:\w+)?$/.exec(part) ?? [];
  if (!part.startsWith('{')) return part === segment;
  return suffix === undefined ? !/:(count|commit|changeType)$/.test(segment) : segment.endsWith(suffix);
}
