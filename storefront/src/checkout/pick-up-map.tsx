import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import { distanceText, isInMiles, metresPerMile } from './distance.ts'
import styles from './pick-up.module.css'
import type { PointsNear } from './points-near.ts'

const size = 320
const middle = size / 2
const margin = 26
const metresPerDegree = 111_200

interface Props {
  found: PointsNear
  context: Pick<ShopContext, 't' | 'market' | 'locale'>
}

/** Where the points are, seen from the postcode: rings of distance, north at the top. The list next to it says the same in words. */
export function PickUpMap({ found: { points, centre }, context }: Props): ReactNode {
  const { t } = context
  const from = centre ?? meanOf(points)
  const east = Math.cos((from.latitude * Math.PI) / 180)
  const placed = points.map(({ id, latitude, longitude, isFull }) => ({
    id,
    isFull,
    x: (longitude - from.longitude) * metresPerDegree * east,
    y: (from.latitude - latitude) * metresPerDegree,
  }))
  const reach = Math.max(300, ...placed.map(({ x, y }) => Math.hypot(x, y)))
  const scale = (middle - margin) / reach
  return (
    <svg className={styles.map} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t('pick-up.map')}>
      {centre &&
        ringsWithin(reach, isInMiles(context)).map((metres) => (
          <g key={metres}>
            <circle className={styles.ring} cx={middle} cy={middle} r={metres * scale} />
            <text className={styles.ringLabel} x={middle} y={middle - metres * scale + 4}>
              {distanceText(metres, context)}
            </text>
          </g>
        ))}
      <path className={styles.north} d={`M${size - 20} 34V12m-5 6 5-6 5 6`} />
      {centre && <circle className={styles.here} cx={middle} cy={middle} r={6} />}
      <g>
        {placed.map(({ id, x, y, isFull }, index) => (
          <g
            key={id}
            className={styles.pin}
            data-pin={id}
            data-full={isFull || undefined}
            transform={`translate(${round(middle + x * scale)} ${round(middle + y * scale)})`}
          >
            <circle r={11} />
            <text y={4}>{index + 1}</text>
          </g>
        ))}
      </g>
    </svg>
  )
}

const round = (length: number): number => Math.round(length * 10) / 10

function meanOf(points: PointsNear['points']): { latitude: number; longitude: number } {
  const mean = (of: (point: PointsNear['points'][number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / Math.max(1, points.length)
  return { latitude: mean(({ latitude }) => latitude), longitude: mean(({ longitude }) => longitude) }
}

/** The two widest round distances that fit. */
function ringsWithin(reach: number, inMiles: boolean): number[] {
  const unit = inMiles ? metresPerMile : 1000
  return [0.25, 0.5, 1, 2, 5, 10, 20]
    .map((steps) => steps * unit)
    .filter((metres) => metres <= reach)
    .slice(-2)
}
