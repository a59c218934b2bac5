import { articlesFor, typedNumber } from '@purlin/ui/coverage.ts'
import type { IslandWords } from '@purlin/web/island.tsx'
import { useState, type ReactNode } from 'react'
import type { Messages } from '@purlin/words/catalogues.ts'
import styles from './coverage.module.css'

interface CoverageProps extends IslandWords<Messages> {
  /** Id of the quantity field. */
  field: string
  /** Its label. */
  unit: string
  perArticle: number
  step: number
  max: number
  /** Requested where the goods are cut. */
  sparePercent: number | null
  /** Paint: square metres per litre. Area and coats are asked instead of litres. */
  paint: number | null
}

const usualCoats = 2

/** Converts square metres or litres into packs. Without a script it shows the content of one. */
export function Coverage({ t, field, unit, perArticle, step, max, sparePercent, paint }: CoverageProps): ReactNode {
  const [need, setNeed] = useState('')
  const [isSpared, setSpared] = useState(false)
  const [coats, setCoats] = useState(usualCoats)
  const packsFor = (text: string, spared: boolean, layers = coats) =>
    articlesFor({
      wanted: ((typedNumber(text) ?? 0) * (paint ? layers : 1)) / (paint ?? 1),
      perArticle,
      step,
      max,
      ...(spared && { sparePercent: sparePercent ?? 0 }),
    })
  const answer = (text: string, spared: boolean, layers = coats) => {
    setNeed(text)
    setSpared(spared)
    setCoats(layers)
    const packs = packsFor(text, spared, layers)
    if (packs !== null) order(field, packs)
  }
  const packs = packsFor(need, isSpared)
  return (
    <fieldset className={styles.coverage}>
      <legend className={styles.legend}>{t('product.coverage', { content: rounded(perArticle), unit })}</legend>
      <div className={`${styles.ask} needs-js`}>
        <label>
          {paint ? t('product.paint-area') : t('product.coverage-need', { unit })}
          <input
            className={styles.need}
            type="text"
            inputMode="decimal"
            autoComplete="off"
            value={need}
            onChange={(event) => answer(event.target.value, isSpared)}
          />
        </label>
        {paint && (
          <label>
            {t('product.paint-coats')}
            <select className={styles.need} value={coats} onChange={(event) => answer(need, isSpared, Number(event.target.value))}>
              {[1, 2, 3].map((layers) => (
                <option key={layers}>{layers}</option>
              ))}
            </select>
          </label>
        )}
        {sparePercent !== null && (
          <label className={styles.spare}>
            <input type="checkbox" checked={isSpared} onChange={(event) => answer(need, event.target.checked)} />
            {t('product.coverage-spare', { percent: sparePercent })}
          </label>
        )}
      </div>
      <p className={styles.answer} role="status">
        {packs !== null && t('product.coverage-answer', { packs, covers: rounded(packs * perArticle), unit })}
      </p>
    </fieldset>
  )
}

/** The field belongs to the form next to it, whose script continues from there. */
function order(field: string, packs: number): void {
  const quantity = document.getElementById(field) as HTMLInputElement
  quantity.value = String(packs)
  quantity.dispatchEvent(new Event('change', { bubbles: true }))
}

function rounded(figure: number): number {
  return Math.round(figure * 100) / 100
}
