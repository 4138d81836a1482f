import { openSync, readSync } from 'node:fs';

// The clock of every thread that loads this is ahead by what TEST_CLOCK_FILE says now: loaded by `--import` in the gateways
// that a test starts, and by the test itself. Timers stay as they are.

const { TEST_CLOCK_FILE: file = '' } = process.env;
const fd = openSync(file, 'r');
const bytes = Buffer.alloc(20);
const RealDate = Date;
const realNow = Date.now;

function movedNow(): number {
  const size = readSync(fd, bytes, 0, bytes.length, 0);
  return realNow() + Number(bytes.toString('latin1', 0, size));
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [movedNow()] : args, newTarget),
  apply: () => new RealDate(movedNow()).toString(),
});
RealDate.now = movedNow;
