/** Tests the faults of a catalogue, all of which are reported at once. */
import assert from 'node:assert/strict';
import { catalogueFaults } from '../../../activities/catalogue/catalogue-faults.ts';
import type { GivenCatalogue } from '../../../activities/catalogue/given-catalogue.ts';
import type { PaymentTypeGroup } from '../../../activities/shared/catalogue.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { sampleCatalogue } from '../../spec/support/catalogue-case.ts';
import { channel, consent, given, ONE, TWO } from './support.ts';

const NOBODY = 9 as OrganisationId;
const BARTER = 'BARTER' as PaymentTypeGroup;
const [VISA] = channel().paymentMethods;
if (!VISA) throw new Error('The channel has no payment method');

const CASES: readonly [string, Partial<GivenCatalogue>, readonly string[]][] = [
  ['a valid one', {}, []],
  [
    'an organisation twice',
    { organisations: [ONE, TWO, ONE].map((id) => ({ id, name: 'A' })) },
    ['/organisations/2/id'],
  ],
  ['a channel twice', { distributionChannels: [channel(), channel()] }, ['/distributionChannels/1/id']],
  [
    'a channel of an unknown organisation',
    { distributionChannels: [channel({ organisationIds: [ONE, NOBODY] })] },
    ['/distributionChannels/0/organisationIds/1'],
  ],
  [
    'unknown payment groups',
    {
      distributionChannels: [
        channel({ paymentMethods: [{ ...VISA, paymentTypeGroup: BARTER }], refundPaymentTypeGroups: [BARTER] }),
      ],
    },
    ['/distributionChannels/0/refundPaymentTypeGroups/0', '/distributionChannels/0/paymentMethods/0/paymentTypeGroup'],
  ],
  [
    'a payment method twice',
    { distributionChannels: [channel({ paymentMethods: [VISA, VISA] })] },
    [
      '/distributionChannels/0/paymentMethods/1/paymentMethodId',
      '/distributionChannels/0/paymentMethods/1/paymentType',
    ],
  ],
  [
    'a consent twice in one version',
    { consentDefinitions: [consent('A', 1), consent('A', 2), consent('A', 1)] },
    ['/consentDefinitions/2/version'],
  ],
  [
    'a consent without terms in two languages',
    { consentDefinitions: [consent('A', 1, { terms: [{ lang: 'nno', value: 'Ja' }] })] },
    ['/consentDefinitions/0/terms', '/consentDefinitions/0/terms'],
  ],
  [
    'a consent of an unknown organisation',
    { consentDefinitions: [consent('A', 1, { ownerOrganisationId: NOBODY })] },
    ['/consentDefinitions/0/ownerOrganisationId'],
  ],
  [
    'a consent with another owner',
    { consentDefinitions: [consent('A', 1, { ownerOrganisationId: ONE }), consent('A', 2)] },
    ['/consentDefinitions/1/ownerOrganisationId'],
  ],
  [
    'everything at once',
    {
      distributionChannels: [channel({ organisationIds: [NOBODY] })],
      consentDefinitions: [consent('A', 1, { terms: [], ownerOrganisationId: NOBODY })],
    },
    [
      '/distributionChannels/0/organisationIds/0',
      ...Array.from({ length: 3 }, () => '/consentDefinitions/0/terms'),
      '/consentDefinitions/0/ownerOrganisationId',
    ],
  ],
];

describe('how far ahead a product is sold', () => {
  const faultsOf = (more: object) => {
    const sample = sampleCatalogue();
    const [product, ...others] = (sample.fareProducts ?? []).toSorted(fareFirst);
    const fareProducts = [{ ...product, ...more } as NonNullable<typeof product>, ...others];
    return [...catalogueFaults({ ...sample, fareProducts })].filter(({ code }) => code === 'RANGE');
  };
  const fareFirst = (a: { kind: string }, b: { kind: string }) => a.kind.localeCompare(b.kind);

  it('leaves its tickets short enough to be signed', () => {
    const usual = { latestStartDays: undefined };
    const year = { latestStartDays: 33, validityDuration: 'P365D' };
    for (const sound of [
      year,
      { ...usual, validityDuration: 'P368D' },
      { latestStartDays: 398, validityDuration: undefined },
    ]) {
      assert.deepEqual(faultsOf(sound), [], JSON.stringify(sound));
    }
    const [late] = faultsOf({ ...year, latestStartDays: 34 });
    assert.deepEqual(late, {
      pointer: '/fareProducts/0/validityDuration',
      code: 'RANGE',
      detail:
        'is too much: latestStartDays and validityDuration let a ticket end 401 days after its sale, ' +
        'and no ticket can be signed for more than 400 days ahead',
    });
    const others = [
      { ...usual, validityDuration: 'P368DT1S' },
      { latestStartDays: 400, validityDuration: undefined },
    ];
    assert.deepEqual(
      others.map((more) => faultsOf(more).map(({ pointer }) => pointer)),
      [['/fareProducts/0/validityDuration'], ['/fareProducts/0/latestStartDays']],
    );
  });
});

describe('the faults of a catalogue', () => {
  for (const [name, changes, pointers] of CASES) {
    it(`of ${name}`, () => {
      const faults = catalogueFaults(given(changes));
      assert.deepEqual(
        faults.map(({ pointer }) => pointer),
        pointers,
      );
    });
  }

  it('are looked for no further than asked', () => {
    let read = 0;
    const priced = Array.from({ length: 1_000 }, (_, at) => ({
      productId: `none-${at}`,
      get basis() {
        read += 1;
        return { kind: 'FLAT', amount: '1.00' } as const;
      },
    }));
    assert.equal(catalogueFaults(given({ prices: priced }), 50).length, 50);
    assert.ok(read <= 50, `${read} prices were checked`);
  });
});
