/** Reads the demo data as trees. One file, because making and parsing the 48 MB takes most of the time. */
import { describeContent } from './demo-trees/content.ts';
import { describeJourneys } from './demo-trees/journeys.ts';
import { describeReferences } from './demo-trees/references.ts';

describeContent();
describeReferences();
describeJourneys();
