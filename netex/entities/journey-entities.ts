/**
 * Reads journeys, dated journeys, frequencies, interchanges and notices from their nodes. Caller: entity-reader.ts.
 */
import { addDays, parseClockTime, parseDayOffset, parseDuration } from '../model/clock-time.ts';
import { ABSENT } from '../model/passing-times.ts';
import { readBooking, readSubmode, readWheelchairAccess } from './common-parts.ts';
import type * as entities from './entity-types.ts';
import { readValidity } from './validity.ts';
import { childrenNamed, findChild, flagOf, listOf, numberOf, refOf, textOf, type XmlNode } from './xml-node.ts';

export function readServiceJourney(
  node: XmlNode,
  id: string,
  frame: entities.FrameDefaults,
): entities.ServiceJourneyEntity {
  const flexible = findChild(node, 'FlexibleServiceProperties');
  const groups = listOf(node, 'frequencyGroups');
  const groupRef = refOf(node, 'JourneyFrequencyGroupRef', 'HeadwayJourneyGroupRef');
  const headwayRefs = groups.flatMap(({ attributes: { ref } }) => (ref === undefined ? [] : [ref]));
  return {
    kind: node.name as entities.ServiceJourneyEntity['kind'],
    id,
    validity: readValidity(node) ?? frame.validity,
    privateCode: textOf(node, 'PrivateCode'),
    publicCode: textOf(node, 'PublicCode'),
    transportMode: textOf(node, 'TransportMode'),
    transportSubmode: readSubmode(node),
    operatorRef: refOf(node, 'OperatorRef'),
    lineRef: refOf(node, 'LineRef', 'FlexibleLineRef'),
    patternRef: refOf(node, 'JourneyPatternRef', 'ServiceJourneyPatternRef'),
    dayTypeRefs: listOf(node, 'dayTypes').flatMap(({ attributes: { ref } }) => (ref === undefined ? [] : [ref])),
    times: listOf(node, 'passingTimes').flatMap((time) => readPassingTime(time) ?? []),
    wheelchairAccess: readWheelchairAccess(node),
    serviceAlteration: textOf(node, 'ServiceAlteration'),
    flexibleServiceType: textOf(flexible, 'FlexibleServiceType'),
    booking: readBooking(flexible) ?? readBooking(findChild(flexible, 'BookingArrangements')),
    headways: groups.filter(({ name }) => name === 'HeadwayJourneyGroup').map(readHeadway),
    headwayRefs: groupRef === undefined ? headwayRefs : [...headwayRefs, groupRef],
  };
}

/** Undefined for a point where passengers can neither board nor alight. */
function readPassingTime(node: XmlNode): entities.PassingTimeEntity | undefined {
  let patternStopRef: string | undefined;
  let [arrival, departure, latestArrival, earliestDeparture] = [ABSENT, ABSENT, ABSENT, ABSENT];
  let [arrivalDays, departureDays, latestDays, earliestDays] = [0, 0, 0, 0];
  for (const { name, text, attributes } of node.children) {
    switch (name) {
      case 'StopPointInJourneyPatternRef':
      case 'PointInJourneyPatternRef':
        patternStopRef = attributes.ref;
        break;
      case 'TimingPointInJourneyPatternRef':
        return undefined;
      case 'ArrivalTime':
        arrival = parseClockTime(text);
        break;
      case 'ArrivalDayOffset':
        arrivalDays = parseDayOffset(text);
        break;
      case 'DepartureTime':
        departure = parseClockTime(text);
        break;
      case 'DepartureDayOffset':
        departureDays = parseDayOffset(text);
        break;
      case 'LatestArrivalTime':
        latestArrival = parseClockTime(text);
        break;
      case 'LatestArrivalDayOffset':
        latestDays = parseDayOffset(text);
        break;
      case 'EarliestDepartureTime':
        earliestDeparture = parseClockTime(text);
        break;
      case 'EarliestDepartureDayOffset':
        earliestDays = parseDayOffset(text);
        break;
    }
  }
  return {
    id: node.attributes.id,
    patternStopRef,
    arrival: addDays(arrival, arrivalDays),
    departure: addDays(departure, departureDays),
    latestArrival: addDays(latestArrival, latestDays),
    earliestDeparture: addDays(earliestDeparture, earliestDays),
  };
}

export function readHeadway(node: XmlNode): entities.HeadwayEntity {
  const clock = (time: string, offset: string): number =>
    addDays(parseClockTime(textOf(node, time) ?? ''), parseDayOffset(textOf(node, offset) ?? ''));
  const interval = textOf(node, 'ScheduledHeadwayInterval') ?? textOf(node, 'MaximumHeadwayInterval');
  const firstDeparture = clock('FirstDepartureTime', 'FirstDayOffset');
  const lastDeparture = clock('LastDepartureTime', 'LastDayOffset');
  return {
    id: node.attributes.id,
    firstDeparture,
    lastDeparture: lastDeparture === ABSENT ? firstDeparture : lastDeparture,
    intervalSeconds: interval === undefined ? undefined : parseDuration(interval),
  };
}

export function readDatedServiceJourney(
  node: XmlNode,
  id: string,
  frame: entities.FrameDefaults,
): entities.DatedServiceJourneyEntity {
  const replaced = [
    ...childrenNamed(node, 'DatedServiceJourneyRef'),
    ...listOf(node, 'replacedJourneys').filter(({ name }) => name.startsWith('Dated')),
  ];
  return {
    id,
    validity: readValidity(node) ?? frame.validity,
    serviceJourneyRef: refOf(node, 'ServiceJourneyRef'),
    operatingDayRef: refOf(node, 'OperatingDayRef'),
    serviceAlteration: textOf(node, 'ServiceAlteration'),
    replacedRefs: replaced.flatMap(({ attributes: { ref } }) => (ref === undefined ? [] : [ref])),
  };
}

export function readInterchange(node: XmlNode, id: string): entities.InterchangeEntity {
  const wait = textOf(node, 'MaximumWaitTime');
  return {
    id,
    fromPointRef: refOf(node, 'FromPointRef'),
    toPointRef: refOf(node, 'ToPointRef'),
    fromVisitNumber: numberOf(node, 'FromVisitNumber'),
    toVisitNumber: numberOf(node, 'ToVisitNumber'),
    fromJourneyRef: refOf(node, 'FromJourneyRef'),
    toJourneyRef: refOf(node, 'ToJourneyRef'),
    priority: numberOf(node, 'Priority'),
    staySeated: flagOf(node, 'StaySeated') ?? false,
    guaranteed: flagOf(node, 'Guaranteed') ?? false,
    maximumWaitSeconds: wait === undefined ? undefined : parseDuration(wait),
  };
}

export function readNotice(node: XmlNode, id: string): entities.NoticeEntity {
  return { id, text: textOf(node, 'Text') ?? textOf(node, 'Name'), publicCode: textOf(node, 'PublicCode') };
}

/** `holderId`: id of the element around the assignment, which the notice is then about. */
export function readNoticeAssignment(node: XmlNode, holderId: string | undefined): entities.NoticeAssignmentEntity {
  const notice = findChild(node, 'Notice');
  const noticeId = notice?.attributes.id;
  return {
    noticeRef: refOf(node, 'NoticeRef'),
    notice: notice && noticeId !== undefined ? readNotice(notice, noticeId) : undefined,
    noticedObjectRef: refOf(node, 'NoticedObjectRef') ?? holderId,
  };
}
