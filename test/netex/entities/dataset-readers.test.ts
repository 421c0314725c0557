/** Readers of facts about a whole dataset, which run before its entities are read. */
import assert from 'node:assert/strict';
import { CalendarListener } from '../../../netex/entities/calendar-listener.ts';
import { findRestrictions } from '../../../netex/entities/restricted-ids.ts';
import { surveyDataset } from '../../../netex/entities/survey.ts';
import { Calendar } from '../../../netex/model/calendar.ts';
import { TimetableFacts } from '../../../netex/model/facts.ts';
import { Scanner } from '../../../netex/xml/scan.ts';
import { openBytes } from '../../support/zip-samples.ts';
import { writeZip } from '../../support/zip-writer.ts';

const CHUNK = 256 * 1024;
const zipOf = (files: Readonly<Record<string, string>>) =>
  openBytes(writeZip(Object.entries(files).map(([name, data]) => ({ name, data }))));
const delivery = (frames: string): string =>
  `<PublicationDelivery xmlns="http://www.netex.org.uk/netex"><dataObjects>${frames}</dataObjects></PublicationDelivery>`;

describe('survey of a dataset', () => {
  it('finds its words for every division of the text into chunks', async () => {
    for (const shift of [0, 1, 9, 18, 19, 25]) {
      const padding = ' '.repeat(CHUNK - shift - 3);
      const archive = await zipOf({
        '1.xml': `<a>${padding}<DatedServiceJourney publication="x"/></a>`,
        '2.xml': '<a/>',
      });
      const { saysPublication, entriesWithDatedJourneys } = await surveyDataset(archive);
      assert.ok(saysPublication, `shift ${shift}`);
      assert.deepEqual(
        [...entriesWithDatedJourneys].map(({ name }) => name),
        ['1.xml'],
      );
    }
  });

  it('finds none in a text without them, and accepts spaces before the equals sign', async () => {
    const none = await surveyDataset(await zipOf({ '1.xml': '<a>publication</a>' }));
    assert.deepEqual([none.saysPublication, none.entriesWithDatedJourneys.size], [false, 0]);
    assert.ok((await surveyDataset(await zipOf({ '1.xml': '<a publication = "x"/>' }))).saysPublication);
  });
});

describe('restrictions of a dataset', () => {
  const frames = (line: string, journey: string): string =>
    `<ServiceFrame id="S"><lines><Line id="L"${line}/></lines><routes><Route id="R"><LineRef ref="L"/></Route></routes><journeyPatterns><JourneyPattern id="P"><RouteRef ref="R"/></JourneyPattern></journeyPatterns></ServiceFrame>` +
    `<TimetableFrame id="T"><vehicleJourneys><ServiceJourney id="J"${journey}><JourneyPatternRef ref="P"/></ServiceJourney></vehicleJourneys></TimetableFrame>`;

  it('extend from restricted elements to all elements that need them, and no further', async () => {
    const whole = await findRestrictions(await zipOf({ '1.xml': delivery(frames(' publication="restricted"', '')) }));
    assert.deepEqual([...whole.ids].sort(), ['J', 'L', 'P', 'R']);
    const one = await findRestrictions(await zipOf({ '1.xml': delivery(frames('', ' publication="private"')) }));
    assert.deepEqual([...one.ids], ['J']);
    const none = await findRestrictions(await zipOf({ '1.xml': delivery(frames(' publication="public"', '')) }));
    assert.equal(none.ids.size, 0);
  });

  it('name the truncated files, since their restrictions are unknown', async () => {
    const archive = await zipOf({
      '1.xml': delivery(frames(' publication="test"', '')),
      '2.xml': '<PublicationDelivery><dataObjects>',
    });
    const { ids, unreadable } = await findRestrictions(archive);
    assert.ok(ids.has('L'));
    assert.deepEqual(
      [...unreadable].map(({ name }) => name),
      ['2.xml'],
    );
  });
});

describe('calendar listener', () => {
  const listen = (frames: string): CalendarListener => {
    const listener = new CalendarListener();
    const scanner = new Scanner(listener);
    scanner.write(delivery(frames));
    scanner.close();
    return listener;
  };

  it('collects the days of day types and of operating days', () => {
    const listener = listen(
      '<DayType id="D"/><OperatingDay id="O"><CalendarDate>2026-11-23</CalendarDate></OperatingDay><DayTypeAssignment id="A"><OperatingDayRef ref="O"/><DayTypeRef ref="D"/></DayTypeAssignment>',
    );
    assert.equal(listener.isEmpty, false);
    const calendar = new Calendar([TimetableFacts.open(listener.build())]);
    assert.deepEqual([...calendar.daysOf('D')], [20_780]);
    assert.equal(calendar.findDay('O'), 20_780);
  });

  it('is empty without a calendar, for any validity of the frames', () => {
    const frame =
      '<validityConditions><AvailabilityCondition><FromDate>2026-01-01T00:00:00</FromDate></AvailabilityCondition></validityConditions>';
    assert.ok(listen(frame).isEmpty);
  });
});
