/**
 * Networks and the content of a ServiceFrame: NETWORK_1 to 3, SERVICE_FRAME_1 to 3, SERVICE_FRAME_IN_COMMON_FILE_1 to
 * 3.
 */
import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { type ChildDemand, demandChildren, idOf } from './children.ts';
import { defineStructureRule, type Rule } from './rule.ts';

export const NETWORK_1 = defineStructureRule({
  code: 'NETWORK_1',
  severity: 'ERROR',
  name: 'Network missing AuthorityRef',
  meaning: 'Network without authority reference',
  example: '<Network …><Name>Byen</Name></Network>',
  mend: 'Add the AuthorityRef of the authority that orders its transport.',
});

export const NETWORK_2 = defineStructureRule({
  code: 'NETWORK_2',
  severity: 'ERROR',
  name: 'Network missing Name on Network',
  meaning: 'Network without name',
  example: '<Network …><AuthorityRef ref="ABC:Authority:1" version="1"/></Network>',
  mend: 'Add the Name by which passengers know the network.',
});

export const NETWORK_3 = defineStructureRule({
  code: 'NETWORK_3',
  severity: 'ERROR',
  name: 'Network missing Name on GroupOfLines',
  meaning: 'Group of lines in a network without name',
  example: '<groupsOfLines><GroupOfLines …/></groupsOfLines>',
  mend: 'Add a Name to the group.',
});

export const SERVICE_FRAME_1 = defineStructureRule({
  code: 'SERVICE_FRAME_1',
  severity: 'ERROR',
  name: 'ServiceFrame unexpected element GroupOfLines',
  meaning: 'groupsOfLines placed directly in a ServiceFrame instead of in a Network',
  example: '<ServiceFrame …><groupsOfLines>…</groupsOfLines></ServiceFrame>',
  mend: 'Move the groupsOfLines into the Network.',
});

export const SERVICE_FRAME_2 = defineStructureRule({
  code: 'SERVICE_FRAME_2',
  severity: 'WARNING',
  name: 'ServiceFrame unexpected element timingPoints',
  meaning: 'timingPoints present (content is ignored)',
  example: '<ServiceFrame …><timingPoints>…</timingPoints></ServiceFrame>',
  mend: 'Leave the timingPoints out; use scheduled stop points.',
});

export const SERVICE_FRAME_3 = defineStructureRule({
  code: 'SERVICE_FRAME_3',
  severity: 'ERROR',
  name: 'ServiceFrame missing Projection on RoutePoint',
  meaning: 'RoutePoint without projections',
  example: '<RoutePoint id="ABC:RoutePoint:1" version="1"/>',
  mend: 'Add projections with a PointProjection to the scheduled stop point.',
});

const COMMON_ONLY_SHARED = 'Move it into the file of its line; a common file holds what lines share.';

export const SERVICE_FRAME_IN_COMMON_FILE_1 = defineStructureRule({
  code: 'SERVICE_FRAME_IN_COMMON_FILE_1',
  severity: 'ERROR',
  name: 'ServiceFrame unexpected element Line',
  meaning: 'Common file defines a Line',
  scope: 'common',
  example: '_ABC_shared_data.xml with <lines><Line …/></lines>',
  mend: COMMON_ONLY_SHARED,
});

export const SERVICE_FRAME_IN_COMMON_FILE_2 = defineStructureRule({
  code: 'SERVICE_FRAME_IN_COMMON_FILE_2',
  severity: 'ERROR',
  name: 'ServiceFrame unexpected element Route',
  meaning: 'Common file defines a Route',
  scope: 'common',
  example: '_ABC_shared_data.xml with <routes><Route …/></routes>',
  mend: COMMON_ONLY_SHARED,
});

export const SERVICE_FRAME_IN_COMMON_FILE_3 = defineStructureRule({
  code: 'SERVICE_FRAME_IN_COMMON_FILE_3',
  severity: 'ERROR',
  name: 'ServiceFrame unexpected element JourneyPattern',
  meaning: 'Common file defines a JourneyPattern',
  scope: 'common',
  example: '_ABC_shared_data.xml with <journeyPatterns><JourneyPattern …/></journeyPatterns>',
  mend: COMMON_ONLY_SHARED,
});

/** Reports each element of that name in that place. */
function forbidden(rule: Rule, name: string, within: string, said: string): Check {
  return {
    rules: [rule],
    begin: (run) => ({
      start: {
        [name](element: OpenElement) {
          if (element.parent?.name !== within) return;
          const frame = within === 'ServiceFrame' ? element.parent : undefined;
          run.report(
            rule,
            element,
            () => `${name}${frame ? ` of ServiceFrame${idOf(frame)}` : idOf(element)} ${said}.`,
          );
        },
      },
    }),
  };
}

const IN_LINE_FILE = 'stands in a common file; expected it in the file of its line';

const NETWORK_NEEDS: readonly ChildDemand[] = [
  { rule: NETWORK_1, child: 'AuthorityRef' },
  { rule: NETWORK_2, child: 'Name', filled: true },
];

export const networkChecks: readonly Check[] = [
  demandChildren({ element: 'Network', within: 'ServiceFrame' }, NETWORK_NEEDS),
  demandChildren({ element: 'Network', within: 'additionalNetworks' }, NETWORK_NEEDS),
  // Groups directly in a ServiceFrame have a rule of their own.
  demandChildren({ element: 'GroupOfLines', within: 'groupsOfLines', around: 'Network' }, [
    { rule: NETWORK_3, child: 'Name', filled: true },
  ]),
  forbidden(SERVICE_FRAME_1, 'groupsOfLines', 'ServiceFrame', 'stands outside a Network; expected it inside one'),
  forbidden(SERVICE_FRAME_2, 'timingPoints', 'ServiceFrame', 'is not used; expected none'),
  demandChildren({ element: 'RoutePoint', within: 'routePoints' }, [{ rule: SERVICE_FRAME_3, child: 'projections' }]),
  forbidden(SERVICE_FRAME_IN_COMMON_FILE_1, 'Line', 'lines', IN_LINE_FILE),
  forbidden(SERVICE_FRAME_IN_COMMON_FILE_2, 'Route', 'routes', IN_LINE_FILE),
  forbidden(SERVICE_FRAME_IN_COMMON_FILE_3, 'JourneyPattern', 'journeyPatterns', IN_LINE_FILE),
  forbidden(SERVICE_FRAME_IN_COMMON_FILE_3, 'ServiceJourneyPattern', 'journeyPatterns', IN_LINE_FILE),
];
