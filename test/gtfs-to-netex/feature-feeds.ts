/** One small feed for each GTFS feature. Callers: tests of single conversions, and the test that validates all. */
import type { Tables } from './small-feed.ts';

const HEADER = 'trip_id,arrival_time,departure_time,stop_id,stop_sequence';

function trip(id: string, start: string, stops: string, minutes = 5): string {
  const [hours = 0, first = 0] = start.split(':').map(Number);
  return [...stops]
    .map((stop, index) => {
      const minute = hours * 60 + first + index * minutes;
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
      return `${id},${time},${time},${stop},${index + 1}`;
    })
    .join('\n');
}

const WEEK = 'service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date';

export const FEATURE_FEEDS = {
  town: {},
  stations: {
    stops:
      'stop_id,stop_name,stop_code,stop_lat,stop_lon,location_type,parent_station,platform_code,wheelchair_boarding,stop_timezone,zone_id,stop_desc,stop_url\n' +
      'S,Central,,40.7000001,-74.0000004,1,,,1,America/Chicago,,The old house,https://central.example\n' +
      'S1,Central,101,40.70,-74.00,0,S,1,2,,Z 1,,\nS2,Central bus,102,40.7001,-74.00,0,S,B,,,Z 1,,\n' +
      'E1,Entrance,,40.70,-74.00,2,S,,,,,,\nN1,,,,,3,S,,,,,,\nS1a,Front,,40.70,-74.00,4,S1,,,,,,\n' +
      'B,Birch,,40.71,-74.00,,,,,,Z2,,\nC,"Cedar, ""the"" gate",,40.72,-74.00,,X,,0,,,,\nP,Poplar,,,,0,S,,,,,,',
    routes: 'route_id,route_short_name,route_long_name,route_type\nR1,1,Main Street,3\nR2,,Rail line,2',
    trips: 'route_id,service_id,trip_id\nR1,WK,T1\nR2,WK,T2\nR1,WK,T3',
    stop_times: `${HEADER}\n${trip('T1', '08:00', '')}T1,08:00:00,08:00:00,S2,1\nT1,08:05:00,08:05:00,B,2\nT1,08:10:00,08:10:00,C,3\n
T2,08:00:00,08:00:00,S1a,1\nT2,08:20:00,08:20:00,B,2\nT3,09:00:00,09:00:00,P,1\nT3,09:10:00,09:10:00,B,2\nT3,09:20:00,09:20:00,E1,3\n`,
    transfers:
      'from_stop_id,to_stop_id,transfer_type,min_transfer_time\nS,S,2,120\nS1,B,2,300\nB,S1,2,300\nS,C,0,\nB,C,3,\nC,B,1,',
  },
  agencies: {
    agency:
      'agency_id,agency_name,agency_url,agency_timezone,agency_lang,agency_phone,agency_email\n' +
      'T,Town Traffic,town.example/x,America/New_York,en,555 1,mail@town.example\nU/1,Upper Bus,,America/Chicago,,,',
    routes:
      'route_id,agency_id,route_short_name,route_long_name,route_desc,route_type,route_url,route_color,route_text_color\n' +
      'R1,T,1,Main Street,Along the river,701,https://town.example/1,FF0000,0\nR2,U/1,2,,,900,,#00ff00,nice\n' +
      'R3,NO,,,,1700,,,\nR4,T,4,Only here,,3,,,',
    trips: 'route_id,service_id,trip_id\nR1,WK,T1\nR2,WK,T2\nR3,WK,T3\nRX,WK,T4\nR1,NO,T5',
    stop_times: `${HEADER}\n${trip('T1', '08:00', 'ABC')}\n${trip('T2', '08:00', 'ABC')}\n${trip('T3', '08:00', 'ABC')}`,
    feed_info:
      'feed_publisher_name,feed_publisher_url,feed_lang,feed_version\nPublisher & Sons,https://publisher.example,en,7',
  },
  patterns: {
    trips:
      'route_id,service_id,trip_id,trip_headsign,direction_id,trip_short_name,wheelchair_accessible,block_id\n' +
      'R1,WK,T1,Dogwood,0,101,1,\nR1,WK,T2,Dogwood,0,,2,\nR1,WK,T3,,1,,,\nR1,WK,T4,Dogwood,0,,,\nR1,WK,T5,Dogwood,0,,,',
    stop_times:
      `${HEADER},pickup_type,drop_off_type,stop_headsign\n` +
      `${trip('T1', '08:00', 'ABCD').replaceAll('\n', ',,,\n')},,,\n${trip('T2', '09:00', 'ABCD').replaceAll('\n', ',0,0,\n')},0,0,\n` +
      `${trip('T3', '08:00', 'DCBA').replaceAll('\n', ',,,\n')},,,\n` +
      'T4,10:00:00,10:00:00,A,1,0,0,\nT4,10:05:00,10:05:00,B,2,3,3,\nT4,10:10:00,10:10:00,C,3,2,1,\nT4,10:15:00,10:15:00,D,4,0,0,\n' +
      'T5,11:00:00,11:00:00,A,1,,,\nT5,11:05:00,11:05:00,B,2,,,Cedar only\nT5,11:10:00,11:10:00,C,3,1,1,\nT5,11:15:00,11:15:00,D,4,,,',
  },
  times: {
    trips: 'route_id,service_id,trip_id\n'.concat(
      ['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7'].map((id) => `R1,WK,${id}`).join('\n'),
    ),
    stop_times:
      `${HEADER}\nT1,23:55:00,23:55:00,A,1\nT1,24:05:00,24:06:00,B,2\nT1,49:00:00,49:00:00,C,3\n` +
      'T2,8:00:00, 8:00:00,A,10\nT2,,,B,20\nT2,,,C,30\nT2,08:30:00,08:30:00,D,40\n' +
      'T3,08:00:00,08:00:00,A,1\nT3,07:50:00,07:40:00,B,2\nT3,08:10:00,08:10:00,C,3\n' +
      'T4,08:00:00,08:00:00,A,1\nT5,,,A,1\nT5,08:00:00,08:00:00,B,2\n' +
      'T6,09:10:00,09:10:00,C,7\nT6,09:00:00,09:00:00,A,2\nT6,09:05:00,,B,5\n' +
      'T7,09:00:00,09:00:00,A,1\nT7,09:00:10,09:00:10,B,2\nT7,09:10:00,09:10:00,C,3',
  },
  calendars: {
    calendar: `${WEEK}\nWK,1,1,1,1,1,0,0,20261102,20261231\nSU,0,0,0,0,0,0,1,20261102,20261231\nNO,0,0,0,0,0,0,0,20261102,20261231`,
    calendar_dates:
      'service_id,date,exception_type\nWK,20261225,2\nWK,20261226,1\nEX,20261124,1\nEX,20270105,1\nWK,20261104,1\nSU,20261109,2',
    trips: 'route_id,service_id,trip_id\nR1,WK,T1\nR1,SU,T2\nR1,EX,T3\nR1,NO,T4',
    stop_times: `${HEADER}\n${['T1', 'T2', 'T3', 'T4'].map((id) => trip(id, '08:00', 'ABC')).join('\n')}`,
  },
  onlyDates: { calendar: null, calendar_dates: 'service_id,date,exception_type\nWK,20261124,1\nWK,20261126,1' },
  frequencies: {
    frequencies:
      'trip_id,start_time,end_time,headway_secs,exact_times\nT1,06:00:00,07:00:00,1200,0\nT1,24:00:00,24:30:00,900,1',
  },
  /** The nights before the first of November 2026 and the fourteenth of March 2027. */
  clockChanges: {
    trips:
      'route_id,service_id,trip_id\nR1,WK,T0030\nR1,WK,T0230\nR1,WK,T0330\nR1,WK,T2530\nR1,WK,T2730\nR1,WK,F\nR1,SU,T0015',
    stop_times:
      `${HEADER}\n${trip('T0030', '00:30', 'ABC')}\n${trip('T0230', '02:30', 'ABC')}\n${trip('T0330', '03:30', 'ABC')}\n` +
      `${trip('T2530', '25:30', 'ABC')}\n${trip('T2730', '27:30', 'ABC')}\n${trip('F', '05:00', 'ABC')}\n` +
      trip('T0015', '00:15', 'ABC'),
    frequencies: 'trip_id,start_time,end_time,headway_secs\nF,03:00:00,05:00:00,3600',
    calendar: `${WEEK}\nWK,0,0,0,0,0,1,1,20261031,20261101\nSU,0,0,0,0,0,0,1,20261101,20261101`,
    calendar_dates: 'service_id,date,exception_type\nWK,20270313,1\nWK,20270314,1',
  },
  shapes: {
    trips: 'route_id,service_id,trip_id,shape_id,direction_id\nR1,WK,T1,SH,0\nR1,WK,T2,SH,1',
    stop_times: `${HEADER}\n${trip('T1', '08:00', 'ABC')}\n${trip('T2', '09:00', 'CBA')}`,
    shapes:
      'shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nSH,40.7000,-74.0000,1\nSH,40.7025,-74.0025,2\nSH,40.7050,-74.0050,3\n' +
      'SH,40.7100,-74.0000,4\nSH,40.7150,-73.9950,6\nSH,40.7200,-74.0000,9',
  },
  travelledShapes: {
    trips: 'route_id,service_id,trip_id,shape_id,direction_id\nR1,WK,T1,SH,0',
    stop_times: `${HEADER},shape_dist_traveled\nT1,08:00:00,08:00:00,A,1,0\nT1,,,B,2,3\nT1,08:40:00,08:40:00,C,3,4`,
    shapes:
      'shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\nSH,40.7000,-74.0000,1,0\nSH,40.7050,-74.0100,2,1.5\n' +
      'SH,40.7100,-74.0000,3,3\nSH,40.7200,-74.0000,4,4',
  },
  following: {
    trips: 'route_id,service_id,trip_id,block_id\nR1,WK,T1,V1\nR1,WK,T2,V1\nR2,WK,T3,V1\nR1,WK,T4,\nR2,WK,T5,',
    routes: 'route_id,route_short_name,route_long_name,route_type\nR1,1,Main Street,3\nR2,2,Side Street,3',
    stop_times: `${HEADER}\n${trip('T1', '08:00', 'ABC')}\n${trip('T2', '08:15', 'CBA')}\n${trip('T3', '10:30', 'ABD')}\n${trip('T4', '12:00', 'ABC')}\n${trip('T5', '12:14', 'CBD')}`,
    transfers:
      'from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id,from_route_id,to_route_id\n' +
      'C,C,1,,T4,T5,,\nA,A,4,,T2,T3,,\nC,C,2,60,T1,T2,,\nA,B,2,60,,,R1,R2\n,,5,,T1,T2,,',
  },
  oddIds: {
    stops:
      'stop_id,stop_name,stop_lat,stop_lon\nå.1,Alder,40.70,-74.00\nä.1,Birch,40.71,-74.00\nC:1/x,Cedar,40.72,-74.00',
    routes: 'route_id,route_short_name,route_long_name,route_type\nr.1,1,Main,3\nr:1,1,Main,3\nR.1,1,Main & <Co>,3',
    trips: 'route_id,service_id,trip_id\nr.1,W.K,t 1\nr:1,W.K,t.1\nR.1,W.K,t-1',
    stop_times: `${HEADER}\nt 1,08:00:00,08:00:00,å.1,1\nt 1,08:10:00,08:10:00,ä.1,2\nt.1,08:00:00,08:00:00,å.1,1\nt.1,08:10:00,08:10:00,C:1/x,2\nt-1,08:00:00,08:00:00,å.1,1\nt-1,08:10:00,08:10:00,C:1/x,2`,
    calendar: `${WEEK}\nW.K,1,1,1,1,1,0,0,20261102,20261231`,
  },
  fast: {
    routes: 'route_id,route_short_name,route_long_name,route_type\nR1,1,Main Street,3\nM,M,Under the bay,1',
    trips: 'route_id,service_id,trip_id\nR1,WK,T1\nM,WK,T2\nR1,WK,T3',
    stops:
      'stop_id,stop_name,stop_lat,stop_lon\nA,Alder,40.70,-74.00\nB,Birch,40.71,-74.00\nC,Cedar,40.72,-74.00\nD,Dogwood,40.73,-74.00\nZ,Zero,0,0',
    stop_times:
      `${HEADER}\nT1,08:00:05,08:00:05,A,1\nT1,08:00:15,08:00:15,B,2\nT1,08:00:45,08:00:45,C,3\nT1,08:20:00,08:20:00,D,4\n` +
      'T2,08:00:05,08:00:05,A,1\nT2,08:02:10,08:02:10,D,2\nT3,08:00:00,08:00:00,A,1\nT3,08:20:00,08:20:00,Z,2',
  },
} satisfies Record<string, Tables>;
