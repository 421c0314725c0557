/** Operators of lines and authorities of networks: MISSING_OPERATOR_REF_ON_LINE, AUTHORITY_REF, AUTHORITY_REF_IN_…. */
import type { Check } from './check.ts';
import { demandChildren, idOf } from './children.ts';
import { defineStructureRule } from './rule.ts';

export const MISSING_OPERATOR_REF_ON_LINE = defineStructureRule({
  code: 'MISSING_OPERATOR_REF_ON_LINE',
  severity: 'WARNING',
  name: 'OperatorRef is required on Line',
  meaning: 'Line without operator reference',
  example: '<Line id="ABC:Line:1" version="1"><Name>Ringen</Name>…</Line> without OperatorRef',
  mend: 'Add the OperatorRef of the operator that runs the line, also when journeys name theirs.',
});

const ASK_REGISTER =
  'Refer to an authority that the organisation register grants the codespace, or have it added there.';

export const AUTHORITY_REF = defineStructureRule({
  code: 'AUTHORITY_REF',
  severity: 'ERROR',
  name: 'Invalid Authority Ref',
  meaning: 'Authority of a network is unknown in the organisation register',
  example: '<Network …><AuthorityRef ref="ABC:Authority:Nobody"/>',
  mend: ASK_REGISTER,
});

export const AUTHORITY_REF_IN_ADDITIONAL_NETWORKS = defineStructureRule({
  code: 'AUTHORITY_REF_IN_ADDITIONAL_NETWORKS',
  severity: 'WARNING',
  name: 'Invalid Authority Ref in Additional Networks',
  meaning: 'Authority of an additional network is unknown in the organisation register',
  example: '<additionalNetworks><Network …><AuthorityRef ref="ABC:Authority:Nobody"/>',
  mend: ASK_REGISTER,
});

/** Only for a codespace with a list of its authorities. */
const authoritiesAreRegistered: Check = {
  rules: [AUTHORITY_REF, AUTHORITY_REF_IN_ADDITIONAL_NETWORKS],
  begin(run) {
    const { authorities } = run.context;
    if (authorities === undefined) return {};
    const known = new Set(authorities);
    return {
      start: {
        AuthorityRef(element) {
          const network = element.parent?.name === 'Network' ? element.parent : undefined;
          const within = network?.parent?.name;
          const { ref = '' } = element.attributes;
          if (!network || known.has(ref)) return;
          if (within !== 'ServiceFrame' && within !== 'additionalNetworks') return;
          run.report(
            within === 'ServiceFrame' ? AUTHORITY_REF : AUTHORITY_REF_IN_ADDITIONAL_NETWORKS,
            element,
            () =>
              `Network${idOf(network)} refers to the authority ${ref || 'without a name'}, which the organisation register ` +
              `does not know for this codespace; expected ${authorities.length === 0 ? 'one that is registered first' : authorities.slice(0, 10).join(', ')}.`,
          );
        },
      },
    };
  },
};

export const lineOperatorChecks: readonly Check[] = [
  demandChildren({ element: 'Line', within: 'lines' }, [{ rule: MISSING_OPERATOR_REF_ON_LINE, child: 'OperatorRef' }]),
  authoritiesAreRegistered,
];
