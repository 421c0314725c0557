/**
 * Answers requests whose document Apollo has accepted before, without Apollo. Apollo's digests, header maps, listeners
 * and promises take longer than a board. The answer must equal Apollo's, byte for byte. Requests that Apollo might
 * answer differently go to Apollo, such as those with a new `Accept` or with extensions. The router mounts this handler
 * before Apollo.
 */
import type { RequestHandler, Response } from 'express';
import { type DocumentNode, getOperationAST, type OperationDefinitionNode } from 'graphql';
import { LruCache } from '../../../platform/lru-cache.ts';
import type { RequestContext } from '../resolvers/request-context.ts';
import { type Answer, type Answering, answer } from './answer.ts';
import { jsonInSlices } from './json-in-slices.ts';
import { TimeSlices } from './time-slices.ts';
import type { ValidDocuments } from './valid-documents.ts';

/** No header value contains this character. */
const WITHOUT_ACCEPT = '\0';
const MAX_ACCEPTS = 50;
const MAX_ACCEPT_CHARACTERS = 5_000;

export function directAnswers(documents: ValidDocuments, answering: Answering): RequestHandler {
  /** By `Accept`: the media type of Apollo's answer. */
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
    // An error here also occurs in Apollo, which then writes the answer.
    const leave = (): void => next();
    const context = response.locals.context as RequestContext;
    let result: Answer | Promise<Answer>;
    try {
      result = answer(question, context, answering);
    } catch {
      return leave();
    }
    if (!(result instanceof Promise)) return send(result, mediaType, response);
    const sendMade = async (made: Answer): Promise<void> =>
      context.slices.turns === 0
        ? send(made, mediaType, response)
        : sendLong(made, mediaType, response, new TimeSlices(answering.limits.GRAPHQL_SLICE_MS));
    result.then(sendMade).catch(leave);
  };
}

/** The router has checked the body: it has a query, and variables are an object if present. */
function findKnown(
  { body }: { readonly body: Readonly<Record<string, unknown>> },
  documents: ValidDocuments,
): { document: DocumentNode; operation: OperationDefinitionNode } | undefined {
  if (!isPlain(body)) return undefined;
  const document = documents.find(body.query as string);
  const operation = document && getOperationAST(document, body.operationName);
  return document && operation ? { document, operation } : undefined;
}

/** Whether only query, variables and operation name affect the answer. Apollo answers all other bodies. */
export function isPlain(
  body: Readonly<Record<string, unknown>>,
): body is Readonly<Record<string, unknown>> & { readonly operationName?: string | null } {
  const { operationName = null, extensions = null } = body;
  if (operationName !== null && typeof operationName !== 'string') return false;
  // Apollo knows one extension, persisted queries, and rejects anything that is no object.
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

/**
 * Sends the body as one text, which Node writes together with the head. Most bodies are ASCII, which Node need not
 * encode.
 */
function send({ status = 200, body }: Answer, mediaType: string, response: Response): void {
  const json = JSON.stringify(body);
  const bytes = Buffer.byteLength(json);
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', bytes + 1);
  response.end(`${json}\n`, bytes === json.length ? 'latin1' : 'utf8');
}

/** Writes an answer that took several turns in slices, too. */
async function sendLong(
  { status = 200, body }: Answer,
  mediaType: string,
  response: Response,
  slices: TimeSlices,
): Promise<void> {
  const chunks: Buffer[] = [];
  for (const text of await jsonInSlices(body, slices)) {
    chunks.push(Buffer.from(text));
    if (slices.isOver()) await slices.turn();
  }
  response.statusCode = status;
  response.setHeader('Content-Type', mediaType);
  response.setHeader(
    'Content-Length',
    chunks.reduce((sum, { length }) => sum + length, 1),
  );
  for (const chunk of chunks) response.write(chunk);
  response.end('\n');
}
