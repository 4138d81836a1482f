// The object and edge types of docs/example-app/definitions, for createClient of habitat-client.
// Made by `npx habitat types`. Do not edit it; make it anew.

export interface Habitat {
  readonly objects: {
    /** Somebody with a note board. */
    readonly Member: {
      readonly classification: 'internal';
      /** Largest content, bytes. */
      readonly maxBytes: number;
      readonly content?: MemberContent;
    };
    /** One note. */
    readonly Note: {
      readonly classification: 'internal';
      /** Largest content, bytes. */
      readonly maxBytes: number;
      readonly content?: NoteContent;
    };
  };
  readonly edges: {
    /** The members who read the notes of a member. */
    readonly followers: {
      readonly from: 'Member';
      readonly to: 'Member';
      readonly cardinality: 'many';
      readonly listCap: number;
      readonly maxEdges: number;
      readonly dataMaxBytes: number;
    };
    /** The members whose notes a member reads. */
    readonly follows: {
      readonly from: 'Member';
      readonly to: 'Member';
      readonly cardinality: 'many';
      readonly listCap: number;
      readonly maxEdges: number;
      readonly dataMaxBytes: number;
    };
    /** The notes of a member, newest first. */
    readonly notes: {
      readonly from: 'Member';
      readonly to: 'Note';
      readonly cardinality: 'many';
      readonly listCap: number;
      readonly maxEdges: number;
      readonly dataMaxBytes: number;
    };
    /** The member who wrote a note. */
    readonly writtenBy: {
      readonly from: 'Note';
      readonly to: 'Member';
      readonly cardinality: 'many';
      readonly listCap: number;
      readonly maxEdges: number;
      readonly dataMaxBytes: number;
    };
  };
}

/** What the client needs of them at run time, and the limits that the gateway enforces. */
export const habitat: Habitat = {
  objects: {
    Member: { classification: 'internal', maxBytes: 4096 },
    Note: { classification: 'internal', maxBytes: 16384 },
  },
  edges: {
    followers: {
      from: 'Member',
      to: 'Member',
      cardinality: 'many',
      listCap: 100,
      maxEdges: 100000,
      dataMaxBytes: 0,
    },
    follows: {
      from: 'Member',
      to: 'Member',
      cardinality: 'many',
      listCap: 100,
      maxEdges: 100000,
      dataMaxBytes: 0,
    },
    notes: {
      from: 'Member',
      to: 'Note',
      cardinality: 'many',
      listCap: 100,
      maxEdges: 100000,
      dataMaxBytes: 0,
    },
    writtenBy: {
      from: 'Note',
      to: 'Member',
      cardinality: 'many',
      listCap: 100,
      maxEdges: 100000,
      dataMaxBytes: 0,
    },
  },
};

/** The JSON of a Member. */
export type MemberContent = {
  /** As others see it */
  readonly name: string;
};

/** The JSON of a Note. */
export type NoteContent = {
  readonly text: string;
  /** Id of the member who wrote it */
  readonly by: string;
};
