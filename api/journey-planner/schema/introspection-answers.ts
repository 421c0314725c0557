/**
 * Answers to questions about the schema alone. They are long, take tens of milliseconds, and depend on nothing but the text and its
 * variables: each is made once, kept as bytes, and sent again at next to no cost. Called by the router.
 */
import type { RequestHandler } from 'express';
import {
  type DocumentNode,
  execute,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql';
import { isPlain } from '../executor/direct-answers.ts';
import { LruCache } from '../executor/lru-cache.ts';
import { fragmentsOf } from '../guards/check-document.ts';

const KEPT_ANSWERS = 50;
const KEPT_BYTES = 5_000_000;
const MENTIONS_SCHEMA = /__(?:schema|type)\b/;
/** As Apollo offers them. */
const MEDIA_TYPES = ['application/json; charset=utf-8', 'application/graphql-response+json; charset=utf-8'];
const OF_SCHEMA: ReadonlySet<string> = new Set(['__schema', '__type', '__typename']);

interface SchemaQuestion {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Answers what asks of the schema alone, whether there is a timetable or not; hands on the rest. The body has passed the guards. */
export function answerIntrospection(schema: GraphQLSchema): RequestHandler {
  const answers = new IntrospectionAnswers(schema);
  return (request, response, next) => {
    const body = request.body as Readonly<Record<string, unknown>>;
    const { query, operationName, variables } = body;
    if (!MENTIONS_SCHEMA.test(String(query)) || !isPlain(body)) return next();
    const type = request.accepts(MEDIA_TYPES);
    const answer =
      type &&
      answers.answer({
        query: String(query),
        operationName: typeof operationName === 'string' ? operationName : undefined,
        variables: (variables ?? {}) as Readonly<Record<string, unknown>>,
      });
    if (!answer) return next();
    response.setHeader('Content-Type', type);
    response.setHeader('Content-Length', answer.length);
    response.end(answer);
  };
}

/** Of one schema, those asked for last. */
export class IntrospectionAnswers {
  readonly #schema: GraphQLSchema;
  readonly #kept = new LruCache<Buffer>(KEPT_ANSWERS, KEPT_BYTES);

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** The body, as JSON. Undefined: the question is about more than the schema, or wrong, and is for others to answer. */
  answer(question: SchemaQuestion): Buffer | undefined {
    const key = keyOf(question);
    let answer = this.#kept.get(key);
    if (!answer) {
      answer = this.#make(question);
      if (answer) this.#kept.set(key, answer, answer.length + key.length);
    }
    return answer;
  }

  #make({ query, operationName, variables }: SchemaQuestion): Buffer | undefined {
    const document = parse(query, { noLocation: true });
    if (!asksOfSchemaOnly(document, operationName) || validate(this.#schema, document).length > 0) return undefined;
    const result = execute({ schema: this.#schema, document, operationName, variableValues: variables });
    return result instanceof Promise || result.errors ? undefined : Buffer.from(`${JSON.stringify(result)}\n`);
  }
}

/** Variables that a text cannot use make no other question of it. */
function keyOf({ query, operationName, variables }: SchemaQuestion): string {
  return JSON.stringify(query.includes('$') ? [query, operationName, variables] : [query, operationName]);
}

function asksOfSchemaOnly(document: DocumentNode, operationName: string | undefined): boolean {
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
