import { bath } from './bath.ts'
import { building } from './building.ts'
import { electric } from './electric.ts'
import type { FamilyDrawing } from './family.ts'
import { fixings } from './fixings.ts'
import { furnishings } from './furnishings.ts'
import { gardenLiving } from './garden-living.ts'
import { gardenTools } from './garden-tools.ts'
import { heating } from './heating.ts'
import { kitchen } from './kitchen.ts'
import { outdoors } from './outdoors.ts'
import { powerAndLight } from './power-light.ts'
import { household } from './household.ts'
import { pools } from './pools.ts'
import { solar } from './solar.ts'
import { safety } from './safety.ts'
import { supplies } from './supplies.ts'
import { waterAndHome } from './water-home.ts'
import { surfaces } from './surfaces.ts'
import { handTools } from './tools-hand.ts'
import { moreTools } from './tools-more.ts'
import { powerTools } from './tools-power.ts'
import { workwear } from './workwear.ts'

/** Every product family of the demo shop, by its key in the product grammar. */
export const families: Readonly<Record<string, FamilyDrawing>> = {
  ...powerTools,
  ...handTools,
  ...fixings,
  ...building,
  ...surfaces,
  ...electric,
  ...bath,
  ...heating,
  ...gardenTools,
  ...outdoors,
  ...workwear,
  ...kitchen,
  ...furnishings,
  ...gardenLiving,
  ...moreTools,
  ...powerAndLight,
  ...safety,
  ...supplies,
  ...waterAndHome,
  ...solar,
  ...pools,
  ...household,
}
