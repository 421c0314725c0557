/**
 * Answers questions whose document Apollo has let pass before. Apollo's way through digests, header maps, listeners and a promise for
 * each step takes longer than a board; what it would say is known by then. Byte for byte the answer is Apollo's: whatever it
 * might see otherwise (an `Accept` not met before, extensions that mean something) goes on to it. Mounted before it by the router.
 */
import type { RequestHandler, Response } from 'express';
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../resolvers/request-context.ts';
import { type Answer, type Answering, answer } from './answer.ts';
import { LruCache } from './lru-cache.ts';
import type { ValidDocuments } from './valid-documents.ts';

/** No header has it in its value. */
const WITHOUT_ACCEPT = '\0';
const MAX_ACCEPTS = 50;
const MAX_ACCEPT_CHARACTERS = 5_000;

export function directAnswers(documents: ValidDocuments, answering: Answering): RequestHandler {
  /** By `Accept`: the media type Apollo answered with. */
  const mediaTypes = new LruCache<string>(MAX_ACCEPTS, MAX_ACCEPT_CHARACTERS);
  return (request, response, next) => {
    const accept = request.headers.accept ?? WITHOUT_ACCEPT;
    const mediaType = mediaTypes.get(accept);
    const known = findKnown(request, documents);
    if (mediaType === undefined || !known) {
      if (mediaType === undefined) learn(accept, response, mediaTypes);
      return next();
    }
    const question = {
      ...known,
      variables: (request.body.variables ?? undefined) as Record<string, unknown> | undefined,
    };
    // An error here occurs in Apollo too, which words it.
    const leave = (): void => next();
    let result: Answer | Promise<Answer>;
    try {
      result = answer(question, response.locals.context as RequestContext, answering);
    } catch {
      return leave();
    }
    if (result instanceof Promise) result.then((made) => send(made, mediaType, response)).catch(leave);
    else send(result, mediaType, response);
  };
}

/** The body was looked at by the router: it has a query, and variables are an object if given. */
function findKnown(
  { body }: { readonly body: Readonly<Record<string, unknown>> },
  documents: ValidDocuments,
): { document: DocumentNode; operation: OperationDefinitionNode } | undefined {
  if (!isPlain(body)) return undefined;
  const document = documents.find(body.query as string);
  const operation = document && getOperationAST(document, body.operationName);
  return document && operation ? { document, operation } : undefined;
}

/** Whether nothing in the body but query, variables and the operation's name has a say. Apollo has the words for what else it may be. */
export function isPlain(
  body: Readonly<Record<string, unknown>>,
): body is Readonly<Record<string, unknown>> & { readonly operationName?: string | null } {
  const { operationName = null, extensions = null } = body;
  if (operationName !== null && typeof operationName !== 'string') return false;
  // It knows one, persisted queries, and refuses what is no object.
  return extensions === null || (isRecord(extensions) && !('persistedQuery' in extensions));
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function learn(accept: string, response: Response, mediaTypes: LruCache<string>): void {
  response.once('finish', () => {
    const mediaType = response.getHeader('content-type');
    if (response.statusCode === 200 && typeof mediaType === 'string') {
      mediaTypes.set(accept, mediaType, accept.length);
    }
  });
}

/** As one text, which Node writes in one with the head; one of ASCII alone, as most are, without looking at its letters again. */
function send({ status = 200, body }: Answer, mediaType: string, response: Response): void {
  const json = JSON.stringify(body);
  const bytes = Buffer.byteLength(json);
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', bytes + 1);
  response.end(`${json}\n`, bytes === json.length ? 'latin1' : 'utf8');
}
