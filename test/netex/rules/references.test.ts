import assert from 'node:assert/strict';
import { IdIndex } from '../../../netex/dataset/id-index.ts';
import {
  anyFrame,
  codesOf,
  commonIds,
  composite,
  file,
  registerOfQuays,
  validateCommon,
  validateLine,
} from '../support/sample-files.ts';

const codes = (content: string, context = {}) => codesOf(validateLine(anyFrame(content), context));
const route = (attributes: string) => `<Route id="ABC:Route:1" version="1"><LineRef ${attributes}/></Route>`;
const LINE = '<Line id="ABC:Line:1" version="1"/>';

describe('rules: references', () => {
  it('NETEX_ID_5: the element is in the file, in that version', () => {
    assert.deepEqual(codes(LINE + route('ref="ABC:Line:1" version="1"')), []);
    assert.deepEqual(codes(route('ref="ABC:Line:1" version="1"') + LINE), []);
    assert.deepEqual(codes(LINE + route('ref="ABC:Line:2" version="1"')), ['NETEX_ID_5']);
    assert.deepEqual(codes(LINE + route('ref="ABC:Line:1" version="2"')), ['NETEX_ID_5']);
  });

  it('NETEX_ID_5: the message distinguishes a version that differs from one that is missing', () => {
    const messageOf = (xml: string) =>
      validateLine(anyFrame(xml)).findings.find(({ code }) => code === 'NETEX_ID_5')?.message ?? '';
    assert.match(
      messageOf(LINE + route('ref="ABC:Line:1" version="2"')),
      /in version "2", but this file has it with another/,
    );
    assert.match(messageOf(LINE + route('ref="ABC:Line:1"')), /without a version, but this file has it with one/);
  });

  it('NETEX_ID_5: the element may be in a common file, in any version', () => {
    const common = { commonIds: commonIds(file('_ABC_shared_data.xml', anyFrame(LINE))) };
    assert.deepEqual(codes(route('ref="ABC:Line:1"'), common), []);
    assert.deepEqual(codes(route('ref="ABC:Line:1" version="7"'), common), []);
    assert.deepEqual(codes(route('ref="ABC:Line:2"'), common), ['NETEX_ID_5']);
  });

  it('NETEX_ID_5: common files resolve among each other, and by version within a file', () => {
    const asking = anyFrame(`${route('ref="ABC:Line:1"')}`);
    const both = commonIds(file('_ABC_shared_data.xml', asking), file('_ABC_lines.xml', anyFrame(LINE)));
    assert.deepEqual(codesOf(validateCommon(asking, { commonIds: both })), []);
    const itself = anyFrame(LINE + route('ref="ABC:Line:1" version="2"'));
    const own = commonIds(file('_ABC_shared_data.xml', itself));
    assert.deepEqual(codesOf(validateCommon(itself, { commonIds: own })), ['NETEX_ID_5']);
  });

  it('NETEX_ID_5: the same target counts once in a file, at its first place', () => {
    const twice = route('ref="ABC:Line:2"') + route('ref="ABC:Line:2"').replace('Route:1', 'Route:2');
    const result = validateLine(anyFrame(twice));
    assert.deepEqual(codesOf(result), ['NETEX_ID_5']);
    assert.equal(result.findings[0]?.objectId, 'ABC:Route:1');
    assert.match(
      result.findings[0]?.message ?? '',
      /^LineRef refers to ABC:Line:2 without a version, which is neither in/,
    );
  });

  it('NETEX_ID_5: references that may leave the dataset are not checked', () => {
    const block = '<Block id="ABC:Block:1" version="1"><journeys>JOURNEY</journeys></Block>';
    const journey = '<VehicleJourneyRef ref="ABC:ServiceJourney:9" version="1"/>';
    assert.deepEqual(codes(block.replace('JOURNEY', journey)), []);
    assert.deepEqual(codes(journey), ['NETEX_ID_5']);
    assert.deepEqual(
      codes('<FromJourneyRef ref="ABC:ServiceJourney:9"/><FromPointRef ref="ABC:ScheduledStopPoint:9"/>'),
      [],
    );
    assert.deepEqual(codes('<InterchangeRule><LineRef ref="ABC:Line:9"/></InterchangeRule>'), []);
    assert.deepEqual(codes('<TrainElementRef ref="PEN:TrainElement:9"/>'), []);
  });

  it('STOP_REGISTER_1: a referenced stop is in the register', () => {
    const stopRegister = registerOfQuays('NSR:Quay:1');
    assert.deepEqual(codes('<QuayRef ref="NSR:Quay:1"/>', { stopRegister }), []);
    assert.deepEqual(codes('<QuayRef ref="NSR:Quay:2"/><QuayRef ref="NSR:Quay:3"/>', { stopRegister }), [
      'STOP_REGISTER_1 ×2',
    ]);
  });

  it('STOP_REGISTER_1: a missing register is reported once per file', () => {
    const result = validateLine(anyFrame('<QuayRef ref="NSR:Quay:2"/><QuayRef ref="NSR:Quay:3"/>'));
    assert.deepEqual(codesOf(result), ['STOP_REGISTER_1']);
    assert.match(result.findings[0]?.message ?? '', /^No stop register has been imported yet/);
  });

  it('STOP_REGISTER_1 may be made an error by configuration', () => {
    const stopRegister = registerOfQuays();
    const severities = { STOP_REGISTER_1: 'ERROR' } as const;
    const result = validateLine(anyFrame('<QuayRef ref="NSR:Quay:2"/>'), { stopRegister, severities });
    assert.equal(result.findings[0]?.severity, 'ERROR');
  });

  it('a SiteFrame resolves its own stops, and is otherwise ignored', () => {
    const stops =
      '<SiteFrame id="ABC:SiteFrame:1" version="x"><stopPlaces>' +
      '<StopPlace id="ABC:StopPlace:1"/><StopPlace id="stop 2"><TopographicPlaceRef ref="nowhere"/></StopPlace>' +
      '</stopPlaces></SiteFrame>';
    const asking =
      '<ResourceFrame id="ABC:ResourceFrame:1" version="1"><StopPlaceRef ref="ABC:StopPlace:1"/></ResourceFrame>';
    assert.deepEqual(codesOf(validateLine(composite(asking + stops))), ['COMPOSITE_FRAME_SITE_FRAME']);
    assert.deepEqual(codesOf(validateLine(composite(asking))), ['NETEX_ID_5']);
  });

  it('NETEX_ID_6: the reference is named for the kind it points to', () => {
    const common = { commonIds: IdIndex.of(idsOf('ABC:Line:1', 'ABC:FlexibleLine:1', 'ABC:DataSource:1')).bytes };
    assert.deepEqual(codes('<LineRef ref="ABC:Line:1"/>', common), []);
    assert.deepEqual(codes('<LineRef ref="ABC:FlexibleLine:1"/>', common), []);
    assert.deepEqual(codes('<DefaultDataSourceRef ref="ABC:DataSource:1"/>', common), []);
    assert.deepEqual(codes('<RouteRef ref="ABC:Line:1"/>', common), ['NETEX_ID_6']);
    const ramps = { commonIds: IdIndex.of(idsOf('ABC:AccessVehicleEquipment:1')).bytes };
    assert.deepEqual(codes('<EquipmentRef ref="ABC:AccessVehicleEquipment:1"/>', ramps), []);
  });

  it('NETEX_ID_7: the value has three parts', () => {
    const values = ['ABC:Direction:', 'ABC:Direction', 'x', 'ABC::1', 'ABC:Direction:1:2'];
    const common = { commonIds: IdIndex.of(idsOf('ABC:Direction:1', ...values)).bytes };
    assert.deepEqual(codes('<DirectionRef ref="ABC:Direction:1"/>', common), []);
    for (const value of values)
      assert.deepEqual(codes(`<DirectionRef ref="${value}"/>`, common), ['NETEX_ID_7'], value);
  });
});

function idsOf(...ids: string[]): Array<{ id: string; label: string }> {
  return ids.map((id) => ({ id, label: '_ABC_other.xml' }));
}
