/**
 * How an area joins the API process: `api/<area>/compose.ts` exports `composition`, found by the area's name in the
 * list of manifests. Adding an area therefore changes no file of the process itself. Caller: api/server.ts.
 */
import type { z } from 'zod';
import type { Area as Manifest, ProcessBase } from '../../platform/area.ts';
import type { ObjectStore } from '../../platform/object-store/object-store.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { AnswerSeal } from './idempotency.ts';
import type { Area } from './operation.ts';

/** The resources of the API process that every area gets. */
export interface ApiBase extends ProcessBase {
  readonly objects: ObjectStore;
  readonly temporal: TemporalClient;
}

export interface AreaParts {
  readonly area: Area;
  /** Further documents of this area, as `api/<area>/<name>.openapi.yaml`, each with its own operations. */
  readonly furtherDocuments?: readonly Area[];
  /** Seals stored answers with personal data. One area provides it. */
  readonly answerSeal?: AnswerSeal;
  /** Called after the listener has closed: answers waiting requests. */
  readonly onListenerClosed?: () => Promise<void>;
}

export interface AreaComposition {
  /** Variables that it reads in addition to those of the API process. */
  readonly config: z.ZodRawShape;
  /** Called once at start, after the indexes of its manifest exist. */
  readonly compose: (base: ApiBase) => AreaParts | Promise<AreaParts>;
}

export interface ComposableArea extends AreaComposition {
  readonly manifest: Manifest;
}

/** Loads `compose.ts` of every area that the API serves. Throws, naming the file, when it is missing or has another export. */
export async function loadCompositions(areas: readonly Manifest[]): Promise<readonly ComposableArea[]> {
  const served = areas.filter(({ servedBy }) => servedBy === 'api');
  return await Promise.all(served.map(async (manifest) => ({ manifest, ...(await loadComposition(manifest.name)) })));
}

async function loadComposition(name: string): Promise<AreaComposition> {
  const file = `api/${name}/compose.ts`;
  let module: unknown;
  try {
    module = await import(`../${name}/compose.ts`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`The manifest of ${name} says that the API serves it, but ${file} cannot be loaded: ${why}`);
  }
  if (!hasComposition(module)) throw new Error(`${file} must export \`composition\` with \`config\` and \`compose\``);
  return module.composition;
}

function hasComposition(module: unknown): module is { readonly composition: AreaComposition } {
  if (typeof module !== 'object' || module === null || !('composition' in module)) return false;
  const { composition } = module;
  if (typeof composition !== 'object' || composition === null) return false;
  return 'config' in composition && 'compose' in composition && typeof composition.compose === 'function';
}
