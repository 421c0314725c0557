/**
 * Counts and answers introspection queries. A query without a kept answer counts as several requests. Caller: the
 * GraphQL router.
 */
import type { Request, RequestHandler, Response } from 'express';
import { findCall } from '../callers/call.ts';
import { countIntrospection } from '../callers/refuse-call.ts';
import { isPlain } from '../executor/direct-answers.ts';
import type { TimeSlices } from '../executor/time-slices.ts';
import type { IntrospectionAnswers, SchemaQuestion } from './introspection-answers.ts';

const MENTIONS_SCHEMA = /__(?:schema|type)\b/;
/** Apollo's media types. */
const MEDIA_TYPES = ['application/json; charset=utf-8', 'application/graphql-response+json; charset=utf-8'];

/**
 * Answers introspection alone, even without a timetable, and passes on all other requests. The body has passed the
 * guards, and the request was counted once.
 */
export function answerIntrospection(answers: IntrospectionAnswers): RequestHandler {
  return async (request, response, next) => {
    const body = request.body as Readonly<Record<string, unknown>>;
    const query = String(body.query);
    if (!MENTIONS_SCHEMA.test(query)) return next();
    const question = {
      query,
      operationName: typeof body.operationName === 'string' ? body.operationName : undefined,
      variables: (body.variables ?? {}) as Readonly<Record<string, unknown>>,
    };
    const isKnown = isPlain(body) && answers.knows(question);
    if (!isKnown) countIntrospection(findCall(request), response);
    const slices = response.locals.slices as TimeSlices;
    if (slices.isOver()) await slices.turn();
    if (!isPlain(body) || !(await answerFrom(answers, question, request, response))) next();
  };
}

async function answerFrom(
  answers: IntrospectionAnswers,
  question: SchemaQuestion,
  request: Request,
  response: Response,
): Promise<boolean> {
  const type = request.accepts(MEDIA_TYPES);
  const answer = type && (await answers.answer(question));
  if (!answer) return false;
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', answer.length);
  response.end(answer);
  return true;
}
