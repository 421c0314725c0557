/** Routes: ROUTE_1 to ROUTE_7. */
import { HashSet } from '../dataset/hash-set.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { demandChildren, idOf, notedIdOf, watchChildren } from './children.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import { lineFileRule } from './rule.ts';

export const ROUTE_1 = lineFileRule(
  'ROUTE_1',
  'ERROR',
  'Route missing',
  'Line file without any route',
  '<ServiceFrame …><lines>…</lines></ServiceFrame> without routes',
  'Add a Route for each way the line takes.',
);
export const ROUTE_2 = lineFileRule(
  'ROUTE_2',
  'ERROR',
  'Route missing Name',
  'Route without name',
  '<Route id="ABC:Route:1" version="1"><LineRef …/>…</Route> without Name',
  'Add a Name.',
);
export const ROUTE_3 = lineFileRule(
  'ROUTE_3',
  'ERROR',
  'Route missing LineRef',
  'Route without line reference',
  '<Route id="ABC:Route:1" version="1"><Name>Byen–Fjorden</Name>…</Route> without LineRef',
  'Add the LineRef or FlexibleLineRef of its line.',
);
export const ROUTE_4 = lineFileRule(
  'ROUTE_4',
  'ERROR',
  'Route missing pointsInSequence',
  'Route without points',
  '<Route id="ABC:Route:1" version="1"><LineRef …/>…</Route> without pointsInSequence',
  'Add pointsInSequence with a PointOnRoute for each route point.',
);
export const ROUTE_5 = lineFileRule(
  'ROUTE_5',
  'WARNING',
  'Route illegal DirectionRef',
  'Route uses DirectionRef (DirectionType expected)',
  '<Route …><DirectionRef ref="ABC:Direction:1"/></Route>',
  'Write <DirectionType>outbound</DirectionType> or inbound instead.',
);
export const ROUTE_6 = lineFileRule(
  'ROUTE_6',
  'WARNING',
  'Route duplicated order',
  'Two route points share the same order',
  '<PointOnRoute order="1" …/><PointOnRoute order="1" …/>',
  'Number the points of the route in their order.',
);
export const ROUTE_7 = lineFileRule(
  'ROUTE_7',
  'ERROR',
  'Route missing JourneyPattern',
  'Route not used by any journey pattern',
  'A Route that no RouteRef of a JourneyPattern names',
  'Leave the route out, or add its journey patterns.',
);

function isRoute(element: OpenElement | undefined): element is OpenElement {
  return (
    element?.name === 'Route' && element.parent?.name === 'routes' && element.parent.parent?.name === 'ServiceFrame'
  );
}

const routeHasLine: Check = {
  rules: [ROUTE_3],
  begin: (run) =>
    watchChildren(
      { element: 'Route', within: 'routes', around: 'ServiceFrame' },
      ['LineRef', 'FlexibleLineRef'],
      (route, texts) => {
        if (texts.size > 0) return;
        run.report(ROUTE_3, route, () => `Route${idOf(route)} names no line; expected a LineRef or FlexibleLineRef.`);
      },
    ),
};

const directionIsAType: Check = {
  rules: [ROUTE_5],
  begin: (run) => ({
    start: {
      DirectionRef(element) {
        const route = element.parent;
        if (!isRoute(route)) return;
        run.report(ROUTE_5, element, () => `Route${idOf(route)} has a DirectionRef; expected a DirectionType.`);
      },
    },
  }),
};

const ordersDiffer: Check = {
  rules: [ROUTE_6],
  begin(run) {
    let orders = new Set<string>();
    return {
      start: {
        Route() {
          orders = new Set();
        },
        PointOnRoute(element) {
          const { order } = element.attributes;
          const route = element.parent?.parent;
          if (order === undefined || !isRoute(route)) return;
          if (orders.has(order)) {
            run.report(
              ROUTE_6,
              element,
              () =>
                `PointOnRoute${idOf(element)} has the order ${order}, as another point of Route${idOf(route)} has; expected one of its own.`,
            );
          }
          orders.add(order);
        },
      },
    };
  },
};

/** Patterns come after the routes, so this is checked at the end. */
const routeIsUsed: Check = {
  rules: [ROUTE_1, ROUTE_7],
  begin(run) {
    const routes: Array<NotedPlace & { high: number; low: number }> = [];
    const used = new HashSet();
    let serviceFrame: NotedPlace | undefined;
    return {
      start: {
        ServiceFrame(element) {
          serviceFrame ??= notePlace(element);
        },
        Route(element) {
          if (!isRoute(element)) return;
          run.hasher.hash(element.attributes.id ?? '');
          routes.push({ ...notePlace(element), high: run.hasher.high, low: run.hasher.low });
        },
        RouteRef(element) {
          const user = element.parent?.name;
          if (user !== 'JourneyPattern' && user !== 'ServiceJourneyPattern') return;
          run.hasher.hash(element.attributes.ref ?? '');
          used.add(run.hasher.high, run.hasher.low);
        },
      },
      finish() {
        if (routes.length === 0 && serviceFrame) {
          run.report(ROUTE_1, serviceFrame, () => 'The file has no Route; expected at least one.');
        }
        for (const route of routes) {
          if (used.has(route.high, route.low)) continue;
          run.report(
            ROUTE_7,
            route,
            () => `No JourneyPattern uses Route${notedIdOf(route)}; expected one with its RouteRef.`,
          );
        }
      },
    };
  },
};

export const routeChecks: readonly Check[] = [
  demandChildren({ element: 'Route', within: 'routes', around: 'ServiceFrame' }, [
    { rule: ROUTE_2, child: 'Name', filled: true },
    { rule: ROUTE_4, child: 'pointsInSequence' },
  ]),
  routeHasLine,
  directionIsAType,
  ordersDiffer,
  routeIsUsed,
];
