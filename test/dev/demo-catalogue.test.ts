/** Tests the demo catalogue: it has no faults, fits the demo region as NeTEx describes it, and shows every kind of fare. */
import assert from 'node:assert/strict';
import { contentOf } from '../../activities/catalogue/catalogue-content.ts';
import { faresOf } from '../../activities/catalogue/catalogue-fares.ts';
import { catalogueFaults } from '../../activities/catalogue/catalogue-faults.ts';
import { readCatalogue } from '../../api/catalogue/load-catalogue.ts';
import { parseJsonBody } from '../../api/shared/json.ts';
import { BODY_LIMIT_BYTES } from '../../api/shared/request-body.ts';
import { demoCatalogueFile } from '../../dev/demo/catalogue/catalogue-file.ts';
import { demoCatalogue } from '../../dev/demo/catalogue/demo-catalogue.ts';
import type { FareProduct, PreassignedProduct } from '../../workflows/shared/fares.ts';
import { useDemoTrees } from '../support/demo-dataset.ts';

const content = contentOf(demoCatalogue());
const fares = faresOf(1, content);
const preassigned = content.fareProducts.filter((each) => each.kind === 'PREASSIGNED');
const supplements = content.fareProducts.filter((each) => each.kind === 'SUPPLEMENT');
const ofFirst = preassigned.filter(({ organisationId }) => organisationId === 1);
const bases = ({ id }: FareProduct) => (fares.prices.get(id) ?? []).map(({ basis }) => basis);
const refundRules = ({ refundRuleSetId }: PreassignedProduct) => fares.refundRuleSets.get(refundRuleSetId)?.rules ?? [];
/** Whose every price is for a line without a seat plan, or with seats that may be left. */
const isUnseated = ({ area, compartment }: PreassignedProduct) => {
  const seated = content.trains.filter(({ seatReservation }) => seatReservation === 'COMPULSORY').flatMap(linesOf);
  return !compartment && !(area.kind === 'LINES' && area.lineIds?.some((id) => seated.includes(id)));
};
const linesOf = ({ lineIds = [] }: { readonly lineIds?: readonly string[] }) => lineIds;

describe('The demo catalogue', () => {
  it('is a catalogue, and small enough to be put again', () => {
    assert.deepEqual(catalogueFaults(demoCatalogue()), []);
    assert.deepEqual(readCatalogue(demoCatalogueFile()), content);
    const body = Buffer.from(JSON.stringify(demoCatalogue()));
    assert.ok(body.length < BODY_LIMIT_BYTES, `${body.length} bytes`);
    assert.ok(parseJsonBody(body));
  });

  it('names lines, stops, zones and authorities of the region', async () => {
    const { stops, shared, lines } = await useDemoTrees();
    const known = new Set<string>();
    for (const kind of ['StopPlace', 'FareZone']) for (const { id } of stops.all(kind)) known.add(id);
    for (const { id } of shared.all('Authority')) known.add(id);
    for (const tree of lines.values()) for (const { id } of tree.all('Line')) known.add(id);
    const named = JSON.stringify(demoCatalogue()).matchAll(/"((?:DEM|NSR):[^"]+)"/g);
    const ids = new Set([...named].map(([, id = '']) => id));
    assert.deepEqual(
      [...ids].filter((id) => !known.has(id)),
      [],
    );
    const kinds = new Set([...ids].map((id) => id.split(':')[1]));
    assert.deepEqual([...kinds].sort(), ['Authority', 'FareZone', 'Line', 'StopPlace']);
  });

  it('has seats on journeys of every day', async () => {
    const { lines } = await useDemoTrees();
    const runs = new Map<string, { readonly days: Set<string>; readonly stops: number }>();
    for (const tree of lines.values()) {
      const days = new Set([...tree.all('DayTypeRef')].map(({ attributes }) => attributes.ref ?? ''));
      const stops = Math.max(
        ...[...tree.all('ServiceJourney')].map((each) => [...each.all('TimetabledPassingTime')].length),
      );
      for (const { id } of tree.all('Line')) runs.set(id, { days, stops });
    }
    const compulsory = content.trains.filter(({ seatReservation }) => seatReservation === 'COMPULSORY');
    const seats = compulsory.map(({ seatPlanId }) => {
      const carriages = fares.seatPlans.get(seatPlanId)?.carriages ?? [];
      return carriages.reduce((sum, carriage) => sum + carriage.seats.length, 0);
    });
    assert.ok(seats.some((count) => count >= 60) && seats.some((count) => count >= 2 && count <= 40), seats.join());
    for (const id of compulsory.flatMap(linesOf)) {
      const run = runs.get(id) ?? assert.fail(id);
      assert.ok(run.days.has('DEM:DayType:Daily') && run.stops >= 3, id);
    }
  });

  it('sells fares of every kind of price, area and validity', () => {
    const kinds = new Set(ofFirst.flatMap(bases).map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ['DISTANCE', 'FLAT', 'STOP_PAIRS', 'ZONES']);
    const some = (test: (product: PreassignedProduct) => unknown) => assert.ok(ofFirst.some(test), String(test));
    some(({ zoneType }) => zoneType === 'RING');
    some(({ zoneType }) => zoneType === 'POINT_TO_POINT');
    some(({ validityDuration }) => validityDuration === 'P30D');
    some(({ fareClass }) => fareClass === 'FIRST');
    some(({ group }) => group);
    some(({ transferable }) => transferable);
    some(({ transferable }) => !transferable);
    some(({ requiredEntitlements }) => requiredEntitlements.length > 0);
    some(({ compulsorySupplements }) => compulsorySupplements.length > 0);
    for (const accommodation of ['COUCHETTE', 'SLEEPER']) {
      some((each) => each.accommodation === accommodation && (each.compartment?.maxTravellers ?? 0) >= 2);
    }
    const codes = new Set(content.fareProducts.map(({ tax }) => tax.basisPoints));
    assert.deepEqual([...codes].sort(), [1200, 2500]);
    assert.deepEqual(new Set(preassigned.map(({ organisationId }) => Number(organisationId))), new Set([1, 2]));
    assert.deepEqual(new Set(supplements.map(({ modifiesSeating }) => modifiesSeating)), new Set([true, false]));
  });

  it('sells fares without a seat that are refundable in every way', () => {
    const unseated = ofFirst.filter(isUnseated);
    const isFree = (each: PreassignedProduct) =>
      refundRules(each).some((rule) => rule.refundPercent === 100 && rule.feeAmountMinor === 0 && !rule.fromBefore);
    const isPartly = (each: PreassignedProduct) =>
      refundRules(each).some((rule) => rule.refundPercent < 100 || rule.feeAmountMinor > 0);
    assert.ok(unseated.some(isFree) && unseated.some(isPartly));
    const perKilometre = (each: PreassignedProduct) =>
      bases(each).flatMap((basis) => (basis.kind === 'DISTANCE' ? [basis.perKilometreMinor] : []))[0] ?? Infinity;
    const refused = unseated.filter((each) => refundRules(each).length === 0);
    // The price of a change must not depend on a fee for it.
    for (const { id, changeRuleSetId } of refused) assert.equal(changeRuleSetId, 'change-free', id);
    const areaOf = ({ area }: PreassignedProduct) => JSON.stringify(area);
    const hasCheaper = (each: PreassignedProduct) =>
      refused.some((other) => areaOf(other) === areaOf(each) && perKilometre(other) < perKilometre(each));
    assert.ok(refused.some(hasCheaper), 'a cheaper one beside it');
  });

  it('tells user types by age without a gap, and students by their id', () => {
    const ages = content.userTypes.filter(({ minAge, maxAge }) => minAge !== undefined || maxAge !== undefined);
    for (let age = 0; age <= 120; age++) {
      const found = ages.filter(({ minAge = 0, maxAge = 150 }) => age >= minAge && age <= maxAge);
      assert.equal(found.length, 1, `${age}`);
    }
    assert.deepEqual(ages.map(({ id }) => id).sort(), ['ADULT', 'CHILD', 'SENIOR', 'YOUTH']);
    assert.ok(content.userTypes.some(({ id }) => id === 'STUDENT'));
  });

  it('has channels with different ways to pay and to pay back', () => {
    const channels = content.distributionChannels;
    const page = channels.find(({ id }) => id === 'SVC:DistributionChannel:PaymentPage');
    assert.deepEqual(page?.organisationIds, [1, 2]);
    assert.deepEqual(page?.refundPaymentTypeGroups, ['PAYMENTCARD', 'MOBILE']);
    assert.ok(page?.autoDistribute);
    const types = page?.paymentMethods.map(({ paymentType }) => paymentType) ?? [];
    assert.ok(types.includes('VISA') && types.includes('MASTERCARD'));
    assert.ok(page?.paymentMethods.some(({ paymentTypeGroup }) => paymentTypeGroup === 'MOBILE'));
    const ofOne = channels.filter(({ organisationIds }) => organisationIds.some((id) => Number(id) === 1));
    assert.ok(ofOne.length < channels.length);
    const groups = ofOne.map(({ refundPaymentTypeGroups }) => refundPaymentTypeGroups);
    assert.ok(groups.some((each) => each.length === 0));
    assert.ok(groups.some((each) => each.length > 0 && !each.includes('PAYMENTCARD')));
    const booked = channels
      .flatMap(({ paymentMethods }) => paymentMethods)
      .filter(({ provider }) => provider === 'BOOK');
    assert.deepEqual(new Set(booked.map(({ paymentType }) => paymentType)), new Set(['CASH', 'INVOICE', 'GIFTCARD']));
    assert.ok(new Set(content.consentDefinitions.map(({ consentCode }) => consentCode)).size >= 3);
  });
});
