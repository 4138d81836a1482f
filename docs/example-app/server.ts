import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HabitatError } from 'habitat-client';
import { connect, createBoard, type ShownNote } from './board.ts';

const client = connect(process.env);
const board = createBoard(client);

/** GET /ana: what she reads. GET /ana/notes?cursor=…: what she wrote. POST /ana/notes with text and form. */
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://board');
  const [, id = '', part] = url.pathname.split('/').map(decodeURIComponent);
  try {
    if (id === '') return void response.writeHead(404).end('Say whose board: /ana');
    if (request.method === 'POST' && part === 'notes') {
      const form = await formOf(request);
      await board.signUp(id, id);
      await board.write(id, form.get('text') ?? '', form.get('form') ?? randomUUID());
      return void response.writeHead(303, { location: `/${encodeURIComponent(id)}/notes` }).end();
    }
    if (part === 'notes') {
      const { notes, cursor } = await board.notesOf(id, url.searchParams.get('cursor') ?? undefined);
      return void response.end(pageOf(`Notes of ${id}`, notes, cursor));
    }
    response.end(pageOf(`Read by ${id}`, await board.feed(id), null));
  } catch (error) {
    if (!(error instanceof HabitatError)) throw error;
    // What a member can do about it differs: wait, or tell somebody the number.
    const status = error.retryable ? 503 : 500;
    response.writeHead(status).end(`Sorry: ${error.code}. Request ${error.requestId ?? 'that got no answer'}.`);
  }
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`note board on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => server.close(() => void client.close()));

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

function pageOf(title: string, notes: readonly ShownNote[], cursor: string | null): string {
  const rows = notes.map(({ text, by }) => `<li>${htmlOf(text)} <em>${htmlOf(by)}</em></li>`).join('\n');
  const more = cursor === null ? '' : `<a href="?cursor=${encodeURIComponent(cursor)}">older</a>`;
  const form = `<form method="post" action="notes"><input name="text"><input type="hidden" name="form" value="${randomUUID()}"></form>`;
  return `<!doctype html><meta charset="utf-8"><title>${htmlOf(title)}</title><h1>${htmlOf(title)}</h1>${form}<ul>\n${rows}\n</ul>${more}\n`;
}

function htmlOf(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
