/** Tests the area of offers over HTTP. One file, because making the demo planner takes seconds of a processor. */
import { useDemoPlanner } from '../journey-planner/demo-planner.ts';
import { offersCatalogue } from './catalogue.ts';
import { describeDemoCatalogue } from './demo-catalogue-cases.ts';
import { OffersServer } from './support.ts';
import { describeTenancy } from './tenancy-cases.ts';
import { describeTripPatterns } from './trip-pattern-cases.ts';
import { describeWithoutJourney } from './without-journey-cases.ts';

describe('offers over HTTP', () => {
  const demo = useDemoPlanner();
  let server: OffersServer;
  before(async () => {
    server = await OffersServer.start(demo.planner.timetable, offersCatalogue);
  });
  after(() => server?.close());
  const serverOf = () => server;

  describeTripPatterns(demo, serverOf);
  describeWithoutJourney(serverOf);
  describeTenancy(serverOf);
  describeDemoCatalogue(demo);
});
