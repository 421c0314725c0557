/**
 * Serves `GET /geocoder/v1/autocomplete` and `/geocoder/v1/reverse`: stop places and addresses as a GeoJSON
 * FeatureCollection in the Pelias format (`openapi.yaml`). Errors are problem+json. `../routers.ts` mounts it.
 */
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { findRequestContext } from '../../shared/request-context.ts';
import type { PlannerContext } from '../planner-context.ts';
import { answerApiDescription } from './api-description.ts';
import type { Feature } from './features.ts';
import { Geocoder } from './geocoder.ts';
import { type Layer, readAutocomplete, readReverse } from './question.ts';

const RETRY_AFTER_SECONDS = 5;

export function createGeocoderRouter(context: PlannerContext): Router {
  const geocoder = new Geocoder(context);
  const router = Router({ caseSensitive: true, strict: true });
  const add = (name: string, answer: (query: URLSearchParams) => Promise<Answer>): void => {
    const path = `/geocoder/v1/${name}`;
    router.get(path, async (request: Request, response: Response) => {
      const requestContext = findRequestContext(request);
      if (requestContext) requestContext.operationId = `geocoder.${name}`;
      const { features, query } = await answer(new URLSearchParams(request.originalUrl.split('?')[1] ?? ''));
      if (!features) throw noSnapshot();
      const geocoding = { version: '0.2', attribution: '', query, timestamp: context.now() * 1_000 };
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.setHeader('cache-control', 'no-store');
      response.send(JSON.stringify({ geocoding, type: 'FeatureCollection', features, ...boxOf(features) }));
    });
    router.all(path, onlyGet);
  };
  add('autocomplete', async (query) => {
    const parameters = readAutocomplete(query);
    const { text, size, lang, layers, focus } = parameters;
    return {
      features: await geocoder.autocomplete(parameters),
      query: {
        text,
        size,
        layers: [...layers],
        lang: langOf(lang),
        ...(focus ? { 'focus.point.lat': focus.latitude, 'focus.point.lon': focus.longitude } : {}),
      },
    };
  });
  add('reverse', async (query) => {
    const parameters = readReverse(query);
    const { point, size, lang, layers, radiusMetres } = parameters;
    return {
      features: await geocoder.reverse(parameters),
      query: {
        'point.lat': point.latitude,
        'point.lon': point.longitude,
        size,
        layers: [...layers],
        lang: langOf(lang),
        'boundary.circle.radius': radiusMetres / 1_000,
      },
    };
  });
  router.get('/geocoder/v1/api-docs', answerApiDescription(context.config.HEADER_PREFIX));
  router.all('/geocoder/v1/api-docs', onlyGet);
  return router;
}

interface Answer {
  readonly features: readonly Feature[] | undefined;
  readonly query: Readonly<Record<string, unknown>> & { readonly layers: readonly Layer[] };
}

const onlyGet: RequestHandler = (_request, response) => {
  response.setHeader('allow', 'GET, HEAD');
  throw new ServiceError('METHOD_NOT_ALLOWED', 'Ask by GET.', { headers: { allow: 'GET, HEAD' } });
};

function noSnapshot(): ServiceError {
  return new ServiceError('UNAVAILABLE', 'The timetable is still being loaded. Try again in a moment.', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
}

/** Names exist only in their published language, whatever language is requested. */
function langOf(lang: string): Readonly<Record<string, string>> {
  return { iso6391: lang.slice(0, 2).toLowerCase() };
}

function boxOf(features: readonly Feature[]): { bbox?: readonly [number, number, number, number] } {
  if (features.length === 0) return {};
  const longitudes = features.map(({ geometry }) => geometry.coordinates[0]);
  const latitudes = features.map(({ geometry }) => geometry.coordinates[1]);
  return { bbox: [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)] };
}
