import 'server-only';
import { headers } from 'next/headers';
import { readActor } from '#server/auth/read-actor.ts';
import type { Actor } from '#server/context.ts';
import { installation } from './installation.ts';

/** The signed-in person of the page being rendered, or null. */
export async function readPageActor(): Promise<Actor | null> {
  const { db, env } = await installation();
  const cookie = (await headers()).get('cookie');
  return readActor({ db, env, cookie });
}
