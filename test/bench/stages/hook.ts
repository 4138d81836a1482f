import { registerHooks } from 'node:module';
import { OFF } from './off-list.ts';

/**
 * Runs before everything else in each thread of a gateway under test (`NODE_OPTIONS=--import`): the stages that
 * `BENCH_STAGES_OFF` names are loaded from `off/` instead of from the gateway. The gateway itself knows nothing of it.
 */
const wanted = new Set((process.env.BENCH_STAGES_OFF ?? '').split(',').filter((name) => name !== ''));
const replaced = new Map<string, string>();
for (const { name, files } of OFF.filter(({ name }) => wanted.has(name))) {
  for (const [file, by] of Object.entries(files)) {
    replaced.set(new URL(`../../../gateway/${file}`, import.meta.url).href, new URL(`off/${by}`, import.meta.url).href);
  }
  wanted.delete(name);
}
if (wanted.size > 0) throw new Error(`No stage can be switched off by the name ${[...wanted].join(', ')}.`);

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const by = replaced.get(found.url);
    // What stands in for a module may import the module itself.
    return by === undefined || context.parentURL === by ? found : { ...found, url: by };
  },
});
