/** Serves each area's document at `/api-docs/{name}`, JSON or YAML by `Accept`, as it is enforced (header prefix applied). */
import { ServiceError } from '../../workflows/shared/service-error.ts';
import { negotiate } from './negotiate.ts';
import type { Json } from './openapi-reference.ts';
import type { Reply } from './operation.ts';
import type { RequestContext } from './request-context.ts';
import { yaml } from './yaml.ts';

const JSON_TYPE = 'application/json';
const YAML_TYPES = ['application/yaml', 'text/yaml', 'application/x-yaml'];

export function docsReply(context: RequestContext, document: Json): Reply {
  const accepted = negotiate(context.request.headers.accept, [JSON_TYPE, ...YAML_TYPES, 'application/vnd.oai.openapi']);
  if (accepted === undefined)
    throw new ServiceError('NOT_ACCEPTABLE', `The document is ${JSON_TYPE} or ${YAML_TYPES[0]}.`);
  const headers = { vary: 'Accept', 'cache-control': 'public, max-age=300' };
  if (accepted === JSON_TYPE) return { status: 200, headers, json: document };
  return { status: 200, headers: { ...headers, 'content-type': accepted }, bytes: yaml().stringify(document) };
}
