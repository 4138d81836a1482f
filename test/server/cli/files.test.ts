import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFaultAt } from '#server/cli/files/json-fault.ts';
import { parseYaml } from '#server/cli/files/parse-text.ts';
import { problemLine } from '#server/cli/files/problem.ts';
import { readFiles } from '#server/cli/files/read-files.ts';
import { editYaml, renderJson, renderYaml } from '#server/cli/files/render.ts';
import { pathsOf } from '#server/cli/files/write-files.ts';
import { type Workplace, workplace } from './habitat.ts';

const NOTE = `kind: objectType
name: Note
document:
  ownerTeam: chat
  description: Stores a note.
  classification: internal
  maxBytes: 1000
  audit:
    reads: none
    writes: none
`;

const read = ({ folder }: Workplace) => {
  const { definitions, problems } = readFiles(join(folder, 'definitions'), folder);
  return { definitions, problems: problems.map(problemLine) };
};
/** What is wrong with a folder of this one file. */
const problemsOf = (name: string, text: string | Uint8Array) => {
  const place = workplace();
  place.write(`definitions/${name}`, text);
  return read(place).problems;
};

describe('a file', () => {
  it('with CRLF, a byte order mark, tabs in JSON, several documents or an array is read as it means', () => {
    const place = workplace();
    place.write('definitions/crlf.yaml', `\u{feff}${NOTE.replaceAll('\n', '\r\n')}`);
    place.write('definitions/two.yml', `${NOTE.replace('Note', 'Two')}---\n${NOTE.replace('Note', 'Three')}`);
    place.write(
      'definitions/list.json',
      JSON.stringify([{ kind: 'policy', name: 'p', document: { cedar: 'x' } }], null, '\t'),
    );
    place.write('definitions/notes.txt', 'no definition');
    const { definitions, problems } = read(place);
    expect(problems).toEqual([]);
    expect(definitions.map(({ kind, name, file }) => `${file.name} ${kind} ${name}`)).toEqual([
      'definitions/crlf.yaml objectType Note',
      'definitions/list.json policy p',
      'definitions/two.yml objectType Two',
      'definitions/two.yml objectType Three',
    ]);
    expect(definitions[0]?.document).toMatchObject({ description: 'Stores a note.', maxBytes: 1_000 });
  });

  it('that is no YAML names line, column and what to do', () => {
    expect(problemsOf('a.yaml', 'kind: objectType\n\tname: x\n')).toEqual([
      expect.stringMatching(/^definitions\/a\.yaml:2:1: error: .*Indent with spaces.*\(yaml_invalid\)$/),
    ]);
    expect(problemsOf('a.yaml', 'kind: a\nkind: b\n')).toEqual([
      expect.stringMatching(/a\.yaml:2:1: .*twice; keep one/),
    ]);
    expect(problemsOf('a.yaml', 'name: what: now\n')).toEqual([expect.stringMatching(/a\.yaml:1:\d+: .*quotes/)]);
    expect(problemsOf('a.json', '{\n  "kind": "policy",\n  "name": x\n}')).toEqual([
      expect.stringMatching(/^definitions\/a\.json:3:11: error: .*Correct the JSON here\. \(json_invalid\)$/),
    ]);
    expect(problemsOf('a.json', '{"kind": "policy",\n "kind": "tenant"}')).toEqual([
      expect.stringMatching(/a\.json:2:2: .*twice; keep one/),
    ]);
    expect(problemsOf('a.yaml', Uint8Array.of(0x6b, 0xff, 0xfe))).toEqual([expect.stringContaining('It is not UTF-8')]);
  });

  it('that is no definition says what one has', () => {
    expect(problemsOf('a.yaml', '- just\n- a list\n')).toEqual([
      expect.stringContaining('it needs kind, name and document'),
    ]);
    expect(problemsOf('a.yaml', 'kind: policy\nname: p\n')).toEqual([expect.stringContaining('document is missing')]);
    expect(problemsOf('a.yaml', NOTE.replace('objectType', 'objecttype'))).toEqual([
      expect.stringMatching(/a\.yaml:1:1: .*objecttype is no kind.*Did you mean objectType\?/),
    ]);
  });

  it('with a field that its kind does not have names the field that was meant, wherever it stands', () => {
    expect(problemsOf('a.yaml', NOTE.replace('description:', 'desciption:'))).toEqual([
      expect.stringMatching(
        /a\.yaml:5:3: error: desciption: objectType has no such field\. Did you mean description\?/,
      ),
    ]);
    expect(problemsOf('a.yaml', NOTE.replace('    writes:', '    wirtes:'))).toEqual([
      expect.stringMatching(/a\.yaml:10:5: error: audit\.wirtes: .*Did you mean writes\?/),
    ]);
    expect(problemsOf('a.yaml', `${NOTE}docment: 1\n`)).toEqual([
      expect.stringMatching(/a\.yaml:11:1: .*docment: no such field beside.*Did you mean document\?/),
    ]);
  });

  it('that is a bomb of aliases is refused at once', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let n = 1; n < 9; n += 1)
      lines.push(
        `a${n}: &a${n} [${Array(10)
          .fill(`*a${n - 1}`)
          .join(', ')}]`,
      );
    expect(problemsOf('a.yaml', lines.join('\n'))).toEqual([expect.stringContaining('instead of aliases')]);
  });
});

it('the place where a text stops being JSON is where JSON.parse stops', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom('', 'x', '"', ',', '}', '\u0001'), (json, at, wrong) => {
      const cut = json.slice(0, at % (json.length + 1)) + wrong;
      const isJson = (() => {
        try {
          JSON.parse(cut);
          return true;
        } catch {
          return false;
        }
      })();
      const fault = jsonFaultAt(cut);
      if (isJson) expect(fault).toBe(cut.length);
    }),
  );
  expect(jsonFaultAt('{"a": [1, 2,, 3]}')).toBe(12);
  expect(jsonFaultAt('{"a": 01}')).toBe(6);
  expect(jsonFaultAt('{"a" 1}')).toBe(5);
  expect(jsonFaultAt('{} {}')).toBe(3);
});

describe('a folder', () => {
  it('with one definition twice names both places', () => {
    const place = workplace();
    place.write('definitions/one.yaml', NOTE);
    place.write('definitions/sub/two.yaml', `# again\n${NOTE}`);
    expect(read(place).problems).toEqual([
      expect.stringMatching(
        /sub\/two\.yaml:4:1: .*objectType\/Note is defined in definitions\/one\.yaml:3 as well.*duplicate_definition/,
      ),
    ]);
  });

  it('with links reads each real file once, leaves a circle, and names a link to nowhere', () => {
    const place = workplace();
    const file = place.write('definitions/note.yaml', NOTE);
    const at = (name: string) => join(place.folder, 'definitions', name);
    symlinkSync(file, at('same.yaml'));
    symlinkSync(join(place.folder, 'definitions'), at('circle'));
    mkdirSync(join(place.folder, 'outside'));
    place.write('outside/other.yaml', NOTE.replace('Note', 'Other'));
    symlinkSync(join(place.folder, 'outside'), at('outside'));
    symlinkSync(join(place.folder, 'nowhere'), at('broken.yaml'));
    place.write('definitions/.hidden/x.yaml', 'kind: [');
    place.write('definitions/node_modules/x/package.json', '{}');
    const { definitions, problems } = read(place);
    expect(definitions.map(({ name }) => name)).toEqual(['Note', 'Other']);
    expect(problems).toEqual([expect.stringContaining('definitions/broken.yaml: error: The link leads nowhere')]);
  });
});

describe('a written file', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('yes', '1_000', '~', '# x', ': a', '- b', '\r\n', '0x1', '"', "'"),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        tie('value'),
        { maxKeys: 3, noNullPrototype: true },
      ),
    ),
  })).value;
  const document = fc.dictionary(
    text.filter((key) => key !== '__proto__'),
    value,
    { maxKeys: 4, noNullPrototype: true },
  );

  it('is read back as what was written, whatever the texts are', () => {
    fc.assert(
      fc.property(document, (given) => {
        const definition = { kind: 'policy' as const, name: 'p', document: given };
        const parsed = parseYaml(renderYaml(definition));
        expect('documents' in parsed && parsed.documents.map((one) => one.value)).toEqual([
          JSON.parse(JSON.stringify(definition)),
        ]);
        expect(JSON.parse(renderJson(definition))).toEqual(JSON.parse(JSON.stringify(definition)));
      }),
      { numRuns: 200 },
    );
  });

  it('that is edited means the new document, and keeps comments beside what stayed', () => {
    const before = NOTE.replace('  description', '  # why: the team asked\n  description').replace(
      '1000',
      '1000 # small',
    );
    const edited = editYaml(before, {
      kind: 'objectType',
      name: 'Note',
      document: {
        ownerTeam: 'chat',
        description: 'Stores a long note.',
        classification: 'public',
        maxBytes: 1_000,
        audit: { reads: 'all', writes: 'none' },
      },
    });
    expect(edited).toContain('# why: the team asked\n  description: Stores a long note.');
    expect(edited).toContain('maxBytes: 1000 # small');
    expect(edited).toContain('reads: all');
    fc.assert(
      fc.property(document, document, (from, to) => {
        const at = { kind: 'policy' as const, name: 'p' };
        const parsed = parseYaml(editYaml(renderYaml({ ...at, document: from }), { ...at, document: to }));
        const want = JSON.parse(JSON.stringify({ ...at, document: to }));
        expect('documents' in parsed && parsed.documents.map((one) => one.value)).toEqual([want]);
      }),
      { numRuns: 200 },
    );
  });

  it('has a name of its own even where a disk does not tell A from a', () => {
    const of = (name: string) => ({ kind: 'objectType' as const, name, document: {} });
    const paths = [...pathsOf([of('Note'), of('NOTE'), of('Other')], 'yaml').values()];
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(3);
    expect(paths[2]).toBe(join('objectType', 'Other.yaml'));
  });
});
