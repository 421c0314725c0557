/**
 * Names a personal subject: the owner of a data key. A customer is one, and so is anything else with personal data that
 * is erased by itself. Each area that has subjects declares its kind once. Pure.
 */
declare const brand: unique symbol;

/** `{kind}/{id}`, as `customer/1000000001`. */
export type SubjectId = string & { readonly [brand]: 'SubjectId' };

/** A subject and its organisation, as the document says that is sealed for it. */
export interface OwnedSubject {
  readonly subject: SubjectId;
  readonly organisationId: number;
}

export interface SubjectKind<Id extends string> {
  /** Lower-case letters. It is part of keys and of sealed data, so it never changes. */
  readonly kind: string;
  readonly subjectOf: (id: Id) => SubjectId;
  readonly includes: (subject: SubjectId) => boolean;
  /** Throws for a subject of another kind. */
  readonly idOf: (subject: SubjectId) => Id;
}

export function subjectKind<Id extends string>(kind: string): SubjectKind<Id> {
  if (!/^[a-z]+$/.test(kind)) throw new Error(`A kind of subject is lower-case letters: ${kind}`);
  const prefix = `${kind}/`;
  const includes = (subject: SubjectId) => subject.startsWith(prefix);
  return {
    kind,
    includes,
    subjectOf: (id) => `${prefix}${id}` as SubjectId,
    idOf: (subject) => {
      if (!includes(subject)) throw new Error(`The subject is no ${kind}`);
      return subject.slice(prefix.length) as Id;
    },
  };
}
