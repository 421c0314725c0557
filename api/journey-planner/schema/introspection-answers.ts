/**
 * Answers queries of the schema alone (introspection). Such an answer is long and takes tens of milliseconds. It
 * depends on nothing but the text and its variables. So each is made once, in slices, kept as bytes, and sent again at
 * almost no cost. Texts that differ only in layout or in the operation's name share an answer. Caller:
 * `introspection-handler.ts`.
 */
import {
  type DocumentNode,
  execute,
  type GraphQLSchema,
  getIntrospectionQuery,
  getOperationAST,
  Kind,
  OperationTypeNode,
  parse,
  print,
  type SelectionSetNode,
  validate,
} from 'graphql';
import { LruCache } from '../../../platform/lru-cache.ts';
import { TimeSlices } from '../executor/time-slices.ts';
import { fragmentsOf } from '../guards/check-document.ts';
import { ItemBudget } from '../guards/item-budget.ts';
import type { GraphqlLimits } from '../guards/limits.ts';

const KEPT_ANSWERS = 50;
const KEPT_BYTES = 5_000_000;
const KEPT_TEXTS = 100;
const KEPT_CHARACTERS = 200_000;
const OF_SCHEMA: ReadonlySet<string> = new Set(['__schema', '__type', '__typename']);

export interface SchemaQuestion {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The most recently used answers of one schema. Queries must have passed the guards. */
export class IntrospectionAnswers {
  readonly #schema: GraphQLSchema;
  readonly #limits: GraphqlLimits;
  /** Answers to the standard queries of tools. They have their own cache, so that no other query evicts them. */
  readonly #canonical = new LruCache<Buffer>(KEPT_ANSWERS, KEPT_BYTES);
  readonly #others = new LruCache<Buffer>(KEPT_ANSWERS, KEPT_BYTES);
  readonly #normalized = new LruCache<string>(KEPT_TEXTS, KEPT_CHARACTERS);
  readonly #making = new Map<string, Promise<Buffer | undefined>>();

  constructor(schema: GraphQLSchema, limits: GraphqlLimits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  /** Whether the answer exists or is being made. */
  knows(question: SchemaQuestion): boolean {
    const key = this.#keyOf(question);
    return this.#find(key) !== undefined || this.#making.has(key);
  }

  /**
   * Returns the body as JSON. Undefined if the query needs more than the schema or is invalid; Apollo then answers it.
   * Rejects with the refusal of a guard when the answer is too long.
   */
  async answer(question: SchemaQuestion): Promise<Buffer | undefined> {
    const key = this.#keyOf(question);
    const known = this.#find(key) ?? this.#making.get(key);
    if (known) return known;
    const making = this.#make(question, key).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  #find(key: string): Buffer | undefined {
    return this.#canonical.get(key) ?? this.#others.get(key);
  }

  async #make({ query, operationName, variables }: SchemaQuestion, key: string): Promise<Buffer | undefined> {
    const slices = new TimeSlices(this.#limits.GRAPHQL_SLICE_MS);
    const document = parse(query, { noLocation: true });
    if (!needsSchemaOnly(document, operationName) || validate(this.#schema, document).length > 0) return undefined;
    const budget = new ItemBudget(this.#limits);
    const contextValue = { budget, slices };
    if (slices.isOver()) await slices.turn();
    const args = { document, operationName, variableValues: variables };
    const result = await execute({ schema: this.#schema, ...args, contextValue });
    if (budget.refusal) throw budget.refusal;
    if (result.errors) return undefined;
    const answer = Buffer.from(`${JSON.stringify(result)}\n`);
    const kept = canonicalTexts().has(key) ? this.#canonical : this.#others;
    kept.set(key, answer, answer.length + key.length);
    return answer;
  }

  /** Variables that a text cannot use are left out of the key. */
  #keyOf({ query, operationName, variables }: SchemaQuestion): string {
    const text = this.#normalize(query, operationName);
    return query.includes('$') ? JSON.stringify([text, variables]) : text;
  }

  #normalize(query: string, operationName: string | undefined): string {
    const source = `${operationName ?? ''}\n${query}`;
    let text = this.#normalized.get(source);
    if (text === undefined) {
      text = normalize(parse(query, { noLocation: true }), operationName);
      this.#normalized.set(source, text, source.length + text.length);
    }
    return text;
  }
}

/** Returns the same text for documents that give the same answer for the named operation. */
function normalize(document: DocumentNode, operationName: string | undefined): string {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operations.length !== 1 || !getOperationAST(document, operationName)) {
    return `${operationName ?? ''}\n${print(document)}`;
  }
  const definitions = document.definitions.map((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return definition;
    const { name: _name, ...unnamed } = definition;
    return unnamed;
  });
  return print({ ...document, definitions });
}

let canonical: ReadonlySet<string> | undefined;

/** All forms of the standard query, since each tool chooses its parts. */
function canonicalTexts(): ReadonlySet<string> {
  const options = [
    'descriptions',
    'specifiedByUrl',
    'directiveIsRepeatable',
    'schemaDescription',
    'inputValueDeprecation',
    'oneOf',
  ];
  canonical ??= new Set(
    Array.from({ length: 2 ** options.length }, (_, bits) => {
      const chosen = options.map((option, at) => [option, (bits & (1 << at)) !== 0] as const);
      return normalize(parse(getIntrospectionQuery(Object.fromEntries(chosen)), { noLocation: true }), undefined);
    }),
  );
  return canonical;
}

function needsSchemaOnly(document: DocumentNode, operationName: string | undefined): boolean {
  const fragments = fragmentsOf(document);
  const isOfSchema = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD) return OF_SCHEMA.has(selection.name.value);
      if (selection.kind === Kind.INLINE_FRAGMENT) return isOfSchema(selection.selectionSet);
      const fragment = fragments.get(selection.name.value);
      return fragment !== undefined && isOfSchema(fragment.selectionSet);
    });
  const operation = getOperationAST(document, operationName);
  return operation?.operation === OperationTypeNode.QUERY && isOfSchema(operation.selectionSet);
}
