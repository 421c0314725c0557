/** Mounts all routers of a planner process, in the order of matching. Each router uses full paths. */
import type { Router } from 'express';
import { createGraphqlRouter } from './executor/graphql-router.ts';
import { createGeocoderRouter } from './geocoder/geocoder-router.ts';
import { createIdeRouter } from './ide/ide-router.ts';
import type { PlannerContext } from './planner-context.ts';

const FACTORIES: readonly ((context: PlannerContext) => Router)[] = [
  createGraphqlRouter,
  createIdeRouter,
  createGeocoderRouter,
];

export function createPlannerRouters(context: PlannerContext): readonly Router[] {
  return FACTORIES.map((create) => create(context));
}
