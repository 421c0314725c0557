/** Resolves the fields of QueryType, except those of trips (`../trip`). */
import { type Fields, none, nothing, type TypeResolvers } from './fields.ts';
import { pickAll } from './lists.ts';
import { nearest, quaysByRadius } from './nearest.ts';
import { datedJourneys } from './query-dated-journeys.ts';
import { serviceJourneys } from './query-journeys.ts';
import { lines } from './query-lines.ts';
import { quays, quaysIn, stopPlaces, stopPlacesIn } from './query-places.ts';

interface IdArgs {
  readonly id?: string | null;
}

const fields: Fields<undefined> = {
  authorities: (_, __, context) => pickAll(context.timetable.catalogue.authorities, 'authorities', context),
  authority: (_, { id }: IdArgs, { timetable }) => timetable.catalogue.authorities.find(id ?? ''),
  bikePark: nothing,
  bikeParks: none,
  bikeRentalStation: nothing,
  bikeRentalStations: none,
  bikeRentalStationsByBbox: none,
  datedServiceJourney: (_, { id }: IdArgs, { timetable }) => timetable.catalogue.datedServiceJourneys.find(id ?? ''),
  datedServiceJourneys: (_, args: Parameters<typeof datedJourneys>[0], context) => datedJourneys(args, context),
  groupOfLines: (_, { id }: IdArgs, { timetable }) => timetable.catalogue.groupsOfLines.find(id ?? ''),
  groupsOfLines: (_, __, context) => pickAll(context.timetable.catalogue.groupsOfLines, 'groupsOfLines', context),
  line: (_, { id }: IdArgs, { timetable }) => timetable.catalogue.lines.find(id ?? ''),
  lines: (_, args: Parameters<typeof lines>[0], context) => lines(args, context),
  nearest: (_, args: Parameters<typeof nearest>[0], context) => nearest(args, context),
  operator: (_, { id }: IdArgs, { timetable }) => timetable.catalogue.operators.find(id ?? ''),
  operators: (_, __, context) => pickAll(context.timetable.catalogue.operators, 'operators', context),
  quay: (_, { id }: IdArgs, { timetable }) => timetable.catalogue.quays.find(id ?? ''),
  quays: (_, args: Parameters<typeof quays>[0], context) => quays(args, context),
  quaysByBbox: (_, args: Parameters<typeof quaysIn>[0], context) => quaysIn(args, context),
  quaysByRadius: (_, args: Parameters<typeof quaysByRadius>[0], context) => quaysByRadius(args, context),
  routingParameters: nothing,
  serverInfo: (_, __, context) => context,
  serviceJourney: (_, { id }: IdArgs, { timetable }) => timetable.catalogue.serviceJourneys.find(id ?? ''),
  serviceJourneys: (_, args: Parameters<typeof serviceJourneys>[0], context) => serviceJourneys(args, context),
  situation: nothing,
  situations: none,
  stopPlace: (_, { id }: IdArgs, { timetable }) => timetable.catalogue.stopPlaces.find(id ?? ''),
  stopPlaces: (_, args: Parameters<typeof stopPlaces>[0], context) => stopPlaces(args, context),
  stopPlacesByBbox: (_, args: Parameters<typeof stopPlacesIn>[0], context) => stopPlacesIn(args, context),
  transitInfo: (_, __, context) => context,
};

const v2: Fields<undefined> = {
  carPark: nothing,
  carParks: none,
  notices: (_, __, context) => pickAll(context.timetable.catalogue.notices, 'notices', context),
  organisation: (_, { id }: IdArgs, { timetable }) => timetable.catalogue.authorities.find(id ?? ''),
  organisations: (_, __, context) => pickAll(context.timetable.catalogue.authorities, 'organisations', context),
};

export const queryType: TypeResolvers = { fields, v2 };
