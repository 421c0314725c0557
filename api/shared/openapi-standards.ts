/**
 * Adds to the documents what all operations of one kind share, so that no area writes it. It adds header parameters,
 * answer headers, and error answers with the components of components.yaml. An area's own text stays. Called before a
 * document is bundled, once at start.
 */
import { follow, type ReadDocument } from './openapi-bundle.ts';
import { type Json, toJson } from './openapi-reference.ts';
import { channelUseOf, METHODS, scopesOf, takesIdempotencyKey, takesSettlement } from './operation-kind.ts';

export const SHARED_COMPONENTS = new URL('./components.yaml', import.meta.url);

/** Name of the component that describes each status. */
const ANSWERS = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  422: 'Unprocessable',
  429: 'RateLimited',
  500: 'Internal',
  503: 'Unavailable',
  default: 'Problem',
} as const;

type Status = keyof typeof ANSWERS;

const CHANNEL_PARAMETERS = {
  required: 'DistributionChannel',
  optional: 'OptionalDistributionChannel',
  none: undefined,
} as const;

const SEARCH_OPERATORS = `Fields take \`op:value\` with the operators eq, ne, gt, gte, lt, lte, in, nin; a plain value means eq; a repeated field must \
hold for each of its values.`;

interface Kind {
  readonly isSecured: boolean;
  readonly takesKey: boolean;
  /** Name of the parameter for the distribution channel. */
  readonly channel: string | undefined;
  readonly takesSettlement: boolean;
  readonly takesBody: boolean;
  readonly namesResource: boolean;
  /** The caller chooses the media type, so the choice can fail. */
  readonly negotiates: boolean;
  /** Headers of all its parameters. */
  readonly headers: ReadonlySet<string>;
}

/** `base` is the document's URL; `read` answers the files that it refers to. */
export function addStandards(root: Json, base: URL, read: ReadDocument): Json {
  const refer = (section: string, name: string): Json => {
    const own = toJson(toJson(root.components ?? {}, 'components')[section] ?? {}, section);
    return { $ref: `${name in own ? '' : SHARED_COMPONENTS.href}#/components/${section}/${name}` };
  };
  const headerOf = (given: unknown): string => {
    const parameter = follow(root, given, base, read);
    if (parameter.in !== 'header') throw new Error(`${parameter.name} must describe a header, or have another name`);
    return String(parameter.name).toLowerCase();
  };
  const paths = Object.entries(toJson(root.paths ?? {}, 'paths')).map(([path, given]) => {
    const item: Record<string, unknown> = { ...toJson(given, path) };
    for (const method of METHODS) {
      if (item[method] === undefined) continue;
      const operation = toJson(item[method], path);
      const parameters = [item.parameters ?? [], operation.parameters ?? []].flat();
      const headers = parameters
        .filter((parameter) => follow(root, parameter, base, read).in === 'header')
        .map(headerOf);
      const kind = kindOf(root, path, method, operation, new Set(headers));
      item[method] = completed(operation, kind, refer, headerOf);
    }
    return [path, item];
  });
  return { ...root, paths: Object.fromEntries(paths) };
}

function kindOf(root: Json, path: string, method: string, operation: Json, headers: ReadonlySet<string>): Kind {
  const successes = Object.entries(toJson(operation.responses ?? {}, path)).filter(([status]) => /^2/.test(status));
  return {
    isSecured: scopesOf(root, operation) !== undefined,
    takesKey: takesIdempotencyKey(root, operation, method),
    channel: CHANNEL_PARAMETERS[channelUseOf(root, operation) ?? 'none'],
    takesSettlement: takesSettlement(root, operation),
    takesBody: operation.requestBody !== undefined,
    namesResource: path.includes('{'),
    negotiates: operation['x-any-accept'] !== true && successes.some(([, answer]) => hasContent(answer, path)),
    headers,
  };
}

function hasContent(answer: unknown, path: string): boolean {
  const { content, $ref: reference } = toJson(answer, path);
  return content !== undefined || reference !== undefined;
}

type Refer = (section: string, name: string) => Json;

function completed(operation: Json, kind: Kind, refer: Refer, headerOf: (parameter: unknown) => string): Json {
  const standard = [
    ...(kind.channel === undefined ? [] : [kind.channel]),
    ...(kind.takesSettlement ? ['SettlementId'] : []),
    ...['CorrelationId', 'ClientName'],
    ...(kind.takesKey ? ['IdempotencyKey'] : []),
  ];
  const parameters = standard
    .filter((name) => !kind.headers.has(headerOf(refer('parameters', name))))
    .map((name) => refer('parameters', name));
  const description =
    operation['x-search'] === true ? { description: `${operation.description ?? ''}${SEARCH_OPERATORS}` } : {};
  return {
    ...operation,
    ...description,
    parameters: [operation.parameters ?? [], parameters].flat(),
    responses: answersOf(toJson(operation.responses ?? {}, 'responses'), operation, kind, refer),
  };
}

function answersOf(given: Json, operation: Json, kind: Kind, refer: Refer): Json {
  const answers: Record<string, unknown> = {};
  for (const [status, answer] of Object.entries(given)) {
    answers[status] = /^2/.test(status) ? withHeaders(toJson(answer, status), kind, refer) : answer;
  }
  // An error shape of the area's own is described by the area.
  if (operation['x-errors'] !== undefined) return answers;
  for (const status of statusesOf(kind)) answers[status] ??= refer('responses', ANSWERS[status]);
  return answers;
}

function withHeaders(answer: Json, { takesKey }: Kind, refer: Refer): Json {
  if (answer.$ref !== undefined) return answer;
  const replayed = takesKey ? { 'Idempotency-Replayed': refer('headers', 'IdempotencyReplayed') } : {};
  const standard = { 'X-Correlation-Id': refer('headers', 'CorrelationId'), ...replayed };
  return { ...answer, headers: { ...standard, ...toJson(answer.headers ?? {}, 'headers') } };
}

/** Every error answer that the HTTP base gives to operations of this kind; areas name what they add. */
function statusesOf(kind: Kind): readonly Status[] {
  const statuses: Status[] = [400, 405, 429, 500, 503, 'default'];
  if (kind.isSecured) statuses.push(401, 403);
  if (kind.namesResource) statuses.push(404);
  if (kind.negotiates) statuses.push(406);
  if (kind.takesBody) statuses.push(408, 413, 415);
  if (kind.takesKey) statuses.push(409, 422);
  if (kind.headers.has('if-match')) statuses.push(412);
  if (kind.headers.has('range')) statuses.push(416);
  return statuses;
}
