import type { Catalog } from '#gateway/client/catalog.ts';

/** As `npx habitat types` writes it, for the types that the tests of the client publish. */
export interface ChatTypes extends Catalog {
  readonly objects: {
    readonly Conversation: { readonly maxBytes: 100_000 };
    readonly Message: { readonly maxBytes: 100_000 };
    readonly Profile: {
      readonly maxBytes: 100_000;
      readonly content?: { readonly name: string; readonly age?: number };
    };
  };
  readonly edges: {
    readonly messages: { readonly from: 'Conversation'; readonly to: 'Message'; readonly listCap: 1_000 };
    readonly inConversation: { readonly from: 'Message'; readonly to: 'Conversation'; readonly listCap: 1_000 };
    readonly pins: { readonly from: 'Conversation'; readonly to: 'Message'; readonly listCap: 1_000 };
    readonly stars: { readonly from: 'Conversation'; readonly to: 'Message'; readonly listCap: 1_000 };
  };
}

export const chatTypes: ChatTypes = {
  objects: {
    Conversation: { maxBytes: 100_000 },
    Message: { maxBytes: 100_000 },
    Profile: { maxBytes: 100_000 },
  },
  edges: {
    messages: { from: 'Conversation', to: 'Message', listCap: 1_000 },
    inConversation: { from: 'Message', to: 'Conversation', listCap: 1_000 },
    pins: { from: 'Conversation', to: 'Message', listCap: 1_000 },
    stars: { from: 'Conversation', to: 'Message', listCap: 1_000 },
  },
};
