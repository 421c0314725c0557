/**
 * Serves `GET /geocoder/v1/api-docs`: the geocoder's OpenAPI document, as JSON or YAML by `Accept`. The geocoder's
 * router mounts it.
 */
import type { RequestHandler } from 'express';
import { stringify } from 'yaml';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { negotiate } from '../../shared/negotiate.ts';
import { loadDocument } from '../../shared/openapi-document.ts';
import { findRequestContext } from '../../shared/request-context.ts';

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const OFFERED = [JSON_TYPE, YAML_TYPE, 'text/yaml', 'application/x-yaml', 'application/vnd.oai.openapi'];

/** Header names get the configured prefix. */
export function answerApiDescription(headerPrefix: string): RequestHandler {
  const { root } = loadDocument(new URL('./openapi.yaml', import.meta.url), headerPrefix);
  // Buffers, because Express adds a character set to a string.
  const [json, yaml] = [Buffer.from(JSON.stringify(root)), Buffer.from(stringify(root))];
  return (request, response) => {
    const requestContext = findRequestContext(request);
    if (requestContext) requestContext.operationId = 'geocoder.apiDocs';
    const type = negotiate(request.headers.accept, OFFERED);
    if (type === undefined) throw new ServiceError('NOT_ACCEPTABLE', `The document is ${JSON_TYPE} or ${YAML_TYPE}.`);
    response.setHeader('content-type', type);
    response.setHeader('vary', 'Accept');
    response.setHeader('cache-control', 'public, max-age=300');
    response.send(type === JSON_TYPE ? json : yaml);
  };
}
