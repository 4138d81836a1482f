import type { ApiMethod, ApiRoute, ApiRoutes } from './api-route.ts';
import { BACKGROUND_ROUTES } from './background-routes.ts';
import { CHANGE_ROUTES } from './change-routes.ts';
import { COSMOS_ROUTES } from './cosmos-routes.ts';
import { DEFINITION_ROUTES } from './definition-routes.ts';
import { PEOPLE_ROUTES } from './people-routes.ts';
import { RELEASE_ROUTES } from './release-routes.ts';
import { TRAFFIC_ROUTES } from './traffic-routes.ts';
import { VERDICT_ROUTES } from './verdict-routes.ts';

/** Every route of the console's API: what OpenAPI is generated from, and what a token's scope is checked against. */
export const API_ROUTES: ApiRoutes = {
  ...CHANGE_ROUTES,
  ...DEFINITION_ROUTES,
  ...RELEASE_ROUTES,
  ...TRAFFIC_ROUTES,
  ...PEOPLE_ROUTES,
  ...COSMOS_ROUTES,
  ...BACKGROUND_ROUTES,
  ...VERDICT_ROUTES,
};

/** A route with where it is found. */
export interface PlacedRoute extends ApiRoute {
  readonly key: string;
  readonly method: ApiMethod;
  /** Path template. */
  readonly path: string;
}

/** All of them, as declared. */
export const PLACED_ROUTES: readonly PlacedRoute[] = Object.entries(API_ROUTES).map(([key, route]) => {
  const [method = '', path = ''] = key.split(' ');
  return { ...route, key, method: method as ApiMethod, path };
});

const PATTERNS = PLACED_ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replace(/\{[a-z0-9]+\}/gi, '[^/]+')}$`),
}))
  // A literal segment beats a parameter, as Next has it.
  .toSorted((a, b) => parametersIn(a.route.path) - parametersIn(b.route.path));

/** The route that a request is for; null for one that is not declared, which then takes no token. */
export function findApiRoute(method: string, pathname: string): PlacedRoute | null {
  const found = PATTERNS.find(({ route, pattern }) => route.method === method && pattern.test(pathname));
  return found?.route ?? null;
}

/** Names in braces of a path template, in order. */
export function pathParametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
}

function parametersIn(path: string): number {
  return pathParametersOf(path).length;
}
