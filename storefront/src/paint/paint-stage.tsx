import type { ReactNode } from 'react'
import type { PaintQuery } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import type { TypedNeed } from './need.ts'
import { HouseScene, RoomScene } from './paint-scenes.tsx'
import styles from './paint.module.css'

interface PaintStageProps {
  paint: NonNullable<PaintQuery['paint']>
  isOutside: boolean
  need: TypedNeed
  context: ShopContext
}

const unknownColor = '#e9e6df'

/**
 * The painted wall with the colours below it. Each colour is a link to the paint in it, and shows itself on the wall while it
 * is pointed at or focused: the drawing leaves the wall open, and the colour lies behind it.
 */
export function PaintStage({ paint, isOutside, need, context: { t, query } }: PaintStageProps): ReactNode {
  const color = paint.color?.label ?? ''
  const hex = paint.color?.hex ?? unknownColor
  const Scene = isOutside ? HouseScene : RoomScene
  // The quantity follows to another colour.
  const search =
    Object.keys(query).length > 0 && !need.isWrong ? `?${new URLSearchParams({ area: need.area, coats: String(need.coats) })}` : ''
  return (
    <div className={styles.stage}>
      <div className={styles.scene} style={{ background: hex }}>
        <Scene label={t(isOutside ? 'paint.outside' : 'paint.room', { color })} />
      </div>
      <p>{t.rich('paint.colors', { chosen: (words) => <b>{words}</b> }, { color })}</p>
      <ul className={styles.colors} aria-label={t('paint.color-of')}>
        {paint.colors.map(({ value, label, hex: own, selected, url }) => (
          <li key={value}>
            <a className={styles.color} href={url + search} aria-current={selected ? 'true' : undefined}>
              <span className={styles.swatch} style={{ background: own ?? unknownColor }} />
              {label}
              <span className={styles.wash} style={{ background: own ?? unknownColor }} />
            </a>
          </li>
        ))}
      </ul>
      <p className={styles.note}>{t('paint.screen')}</p>
    </div>
  )
}
