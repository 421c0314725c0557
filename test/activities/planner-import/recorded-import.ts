/** Imports small datasets and records the calls of the builder, for the tests of the import. */
import { importDatasets } from '../../../activities/timetable/planner-import/import-datasets.ts';
import type { ImportReport, ImportRequest } from '../../../activities/timetable/planner-import/import-types.ts';
import { StopRegisterReader } from '../../../netex/stop-register/stop-register-reader.ts';
import type * as input from '../../../planner/build/input.ts';
import { openBytes } from '../../support/zip-samples.ts';
import { writeZip } from '../../support/zip-writer.ts';

export interface Recorded {
  readonly authorities: input.AuthorityInput[];
  readonly operators: input.OperatorInput[];
  readonly notices: input.NoticeInput[];
  readonly tariffZones: input.TariffZoneInput[];
  readonly groups: input.GroupOfLinesInput[];
  readonly stopPlaces: input.StopPlaceInput[];
  readonly quays: input.QuayInput[];
  readonly transfers: input.TransferInput[];
  readonly lines: input.LineInput[];
  readonly patterns: input.JourneyPatternInput[];
  readonly journeys: input.ServiceJourneyInput[];
  readonly dated: input.DatedServiceJourneyInput[];
  readonly interchanges: input.InterchangeInput[];
  /** `kind: reason: id` */
  readonly rejected: string[];
}

export function recordingBuilder(): { builder: input.TimetableBuilder; recorded: Recorded } {
  const recorded: Recorded = {
    authorities: [],
    operators: [],
    notices: [],
    tariffZones: [],
    groups: [],
    stopPlaces: [],
    quays: [],
    transfers: [],
    lines: [],
    patterns: [],
    journeys: [],
    dated: [],
    interchanges: [],
    rejected: [],
  };
  const builder: input.TimetableBuilder = {
    addAuthority: (it) => recorded.authorities.push(it),
    addOperator: (it) => recorded.operators.push(it),
    addNotice: (it) => recorded.notices.push(it),
    addTariffZone: (it) => recorded.tariffZones.push(it),
    addGroupOfLines: (it) => recorded.groups.push(it),
    addStopPlace: (it) => recorded.stopPlaces.push(it),
    addQuay: (it) => recorded.quays.push(it),
    addTransfer: (it) => recorded.transfers.push(it),
    addLine: (it) => recorded.lines.push(it),
    addJourneyPattern: (it) => recorded.patterns.push(it),
    addServiceJourney: (it) => recorded.journeys.push(it),
    addDatedServiceJourney: (it) => recorded.dated.push(it),
    addInterchange: (it) => recorded.interchanges.push(it),
    reject: (kind, reason, id) => recorded.rejected.push(`${kind}: ${reason}: ${id}`),
    finish: () => {
      throw new Error('The import never finishes a snapshot');
    },
  };
  return { builder, recorded };
}

export interface Dataset {
  readonly codespace?: string;
  readonly files: Readonly<Record<string, string>>;
}

export type Options = Omit<ImportRequest, 'datasets' | 'register'> & {
  /** The content of the register's SiteFrame. */
  readonly register?: string;
};

export async function importAll(
  datasets: readonly Dataset[],
  { register, ...options }: Options = {},
): Promise<Recorded & { readonly report: ImportReport }> {
  const { builder, recorded } = recordingBuilder();
  const sources = datasets.map(async ({ codespace = 'abc', files }) => ({
    codespace,
    archive: await openBytes(writeZip(Object.entries(files).map(([name, data]) => ({ name, data })))),
  }));
  const report = await importDatasets(
    {
      ...options,
      datasets: await Promise.all(sources),
      register: register === undefined ? undefined : registerOf(register),
    },
    builder,
  );
  return { ...recorded, report };
}

function registerOf(content: string): Uint8Array {
  const reader = new StopRegisterReader();
  reader.addFile(
    new TextEncoder().encode(delivery(`<SiteFrame id="NSR:SiteFrame:1" version="1">${content}</SiteFrame>`)),
  );
  return reader.build().bytes;
}

export function delivery(frames: string): string {
  return (
    '<PublicationDelivery xmlns="http://www.netex.org.uk/netex" xmlns:gml="http://www.opengis.net/gml/3.2" version="1.15:NO-NeTEx-networktimetable:1.5"><dataObjects>' +
    `<CompositeFrame id="ABC:CompositeFrame:1" version="1"><FrameDefaults><DefaultLocale><TimeZone>Europe/Stockholm</TimeZone><DefaultLanguage>no</DefaultLanguage></DefaultLocale></FrameDefaults><frames>${frames}</frames></CompositeFrame></dataObjects></PublicationDelivery>`
  );
}
