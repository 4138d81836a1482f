import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createUpstream } from './recorded-upstream.ts';
import { createRelay } from './relay.ts';

/**
 * `upstream-main.ts TARGET KEY CERT TLS_PORT PLAIN_PORT`: what lies behind the proxies under test, a process of its own. A
 * line on standard output says that it listens. Ends with its standard input.
 */
const [target = '', key = '', cert = '', tlsPort = '', plainPort = ''] = process.argv.slice(2);
const tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
const kept = new Map<string, Buffer>();
const secure = createUpstream({ kept, relay: createRelay(target, `https://localhost:${tlsPort}`), tls });
const plain = createUpstream({ kept, relay: createRelay(target, `http://127.0.0.1:${plainPort}`), tls: null });
secure.listen(Number(tlsPort), '127.0.0.1');
plain.listen(Number(plainPort), '127.0.0.1');
await Promise.all([once(secure, 'listening'), once(plain, 'listening')]);
process.stdout.write('upstream listens\n');
process.stdin.resume().on('end', () => process.exit(0));
