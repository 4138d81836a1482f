/** Every page of the console with the demo user whose work it is, on the seeded example after some traffic. */
export interface PageOf {
  readonly name: string;
  readonly path: string;
  readonly as: string;
}

const ENGINEER = 'Ana Ruiz';
const SECURITY = 'Sam Lee';
const OPERATOR = 'Olga Ek';
const ADMIN = 'Ada Moss';

export const SIGNED_IN_PAGES: readonly PageOf[] = [
  { name: 'home', path: '/', as: ENGINEER },
  { name: 'inbox', path: '/inbox', as: SECURITY },
  { name: 'types', path: '/types', as: ENGINEER },
  { name: 'type-object', path: '/types/Message', as: ENGINEER },
  { name: 'type-code', path: '/types/Message?tab=code', as: ENGINEER },
  { name: 'type-relations', path: '/types/Conversation?tab=relations', as: ENGINEER },
  { name: 'type-history', path: '/types/Message?tab=history', as: ENGINEER },
  { name: 'type-edge', path: '/types/messages', as: ENGINEER },
  { name: 'types-removed', path: '/types?filter=state%3Aremoved', as: ENGINEER },
  { name: 'policies', path: '/policies', as: SECURITY },
  { name: 'policy', path: '/policies/team-owns-type', as: SECURITY },
  { name: 'policy-tests', path: '/policies/team-owns-type?tab=tests', as: SECURITY },
  { name: 'tenants', path: '/tenants', as: OPERATOR },
  { name: 'tenant', path: '/tenants/chat', as: OPERATOR },
  { name: 'principal', path: '/principals/chat-api', as: ENGINEER },
  { name: 'changes', path: '/changes?filter=state%3Aall', as: ENGINEER },
  { name: 'change-new', path: '/changes/new', as: ENGINEER },
  { name: 'change', path: '/changes/1', as: ENGINEER },
  { name: 'releases', path: '/releases', as: SECURITY },
  { name: 'release', path: '/releases/1', as: SECURITY },
  { name: 'gateways', path: '/gateways', as: OPERATOR },
  { name: 'gateway', path: '/gateways?row=gw-a', as: OPERATOR },
  { name: 'cosmos', path: '/gateways?tab=cosmos', as: OPERATOR },
  { name: 'latency', path: '/latency', as: OPERATOR },
  { name: 'latency-tenant', path: '/latency/chat?range=15m', as: OPERATOR },
  { name: 'requests', path: '/requests', as: OPERATOR },
  { name: 'audit', path: '/audit', as: SECURITY },
  { name: 'settings', path: '/settings', as: ADMIN },
  { name: 'settings-teams', path: '/settings?tab=teams', as: ADMIN },
  { name: 'settings-rules', path: '/settings?tab=rules', as: ADMIN },
  { name: 'settings-tokens', path: '/settings?tab=tokens', as: ADMIN },
  { name: 'errors', path: '/errors', as: ENGINEER },
  { name: 'error', path: '/errors/forbidden', as: ENGINEER },
  { name: 'operation', path: '/errors/operations/edge.list', as: ENGINEER },
];
