import { calculatorFields, calculatorUnits } from '@purlin/contract/calculators.ts'
import { Button, Field, Select } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { EntryBlockFragment, EntryFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { levelOf } from './say.ts'
import type { TypedMeasures } from './load-entry.ts'
import styles from './calculator.module.css'

interface CalculatorFormProps {
  block: EntryBlockFragment
  entry: EntryFragment
  measures: TypedMeasures
  context: ShopContext
}

/** Requests the measurements; the page then shows the result, and the list with quantities. Works without a script. */
export function CalculatorForm({ block: { id, title, calculator }, entry, measures, context }: CalculatorFormProps): ReactNode {
  const { t, formats } = context
  if (!calculator || id === null) return null
  const { kind, sparePercent, coats, amount } = calculator
  const fields = calculatorFields[kind]
  const typed = measures[id]
  const said = (figure: number) => formats.number(figure).replace(/[\s\u202f\u00a0]/g, '')
  return (
    <form className={styles.calculator} method="get" action={`${entry.url ?? ''}#calculator-${id}`} id={`calculator-${id}`}>
      <h3>{title}</h3>
      <div className={styles.fields}>
        {fields.map(({ name, start, most, isChoice }) => {
          const label = t(`advice.measure.${kind === 'slab' || kind === 'water' ? (name === 'depth' ? 'depth-cm' : name) : name}`)
          const field = { name: `m[${id}][${name}]`, label }
          if (isChoice)
            return (
              <Select
                key={name}
                {...field}
                defaultValue={String(typed?.[name] ?? start)}
                options={Array.from({ length: most }, (_, index) => ({
                  value: String(index + 1),
                  label: t('advice.insulation', { level: levelOf(index + 1) }),
                }))}
              />
            )
          return <Field key={name} {...field} inputMode="decimal" autoComplete="off" defaultValue={said(typed?.[name] ?? start)} />
        })}
      </div>
      {Object.entries(measures)
        .filter(([calculatorId]) => calculatorId !== id)
        .flatMap(([calculatorId, given]) =>
          Object.entries(given).map(([name, value]) => (
            <input key={`${calculatorId} ${name}`} type="hidden" name={`m[${calculatorId}][${name}]`} value={value} />
          )),
        )}
      <div className={styles.answer}>
        <p>
          <b>{t(`advice.result.${calculatorUnits[kind]}`, { amount })}</b>{' '}
          {sparePercent > 0 && <span className={styles.note}>{t('advice.with-spare', { percent: sparePercent })}</span>}
          {coats > 1 && <span className={styles.note}>{t('advice.with-coats', { count: coats })}</span>}
        </p>
        <Button look="secondary">{t('advice.calculate')}</Button>
      </div>
    </form>
  )
}
