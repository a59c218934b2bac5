/** Calculators of guides and projects: material quantities from measurements. Shared by pages and scripts. */

export const calculatorKinds = ['floor', 'walls', 'slab', 'run', 'heat', 'water'] as const
export type CalculatorKind = (typeof calculatorKinds)[number]

/** A measurement to enter, with its default value. */
export interface CalculatorField {
  name: 'length' | 'width' | 'height' | 'depth' | 'doors' | 'windows' | 'insulation'
  start: number
  most: number
  /** A choice from 1 to `most` instead of a figure. */
  isChoice?: true
}

const length = (start: number): CalculatorField => ({ name: 'length', start, most: 200 })
const width = (start: number): CalculatorField => ({ name: 'width', start, most: 200 })
const height: CalculatorField = { name: 'height', start: 2.5, most: 20 }

export const calculatorFields: Readonly<Record<CalculatorKind, readonly CalculatorField[]>> = {
  floor: [length(5), width(4)],
  walls: [length(5), width(4), height, { name: 'doors', start: 1, most: 20 }, { name: 'windows', start: 1, most: 40 }],
  // The depth of a slab is entered in centimetres.
  slab: [length(3), width(2), { name: 'depth', start: 10, most: 100 }],
  run: [length(12)],
  // 1 a new house, 2 insulated, 3 an old one.
  heat: [length(5), width(4), height, { name: 'insulation', start: 2, most: 3, isChoice: true }],
  water: [length(5), width(2.5), { name: 'depth', start: 120, most: 300 }],
}

/** The unit a calculator answers in. */
export const calculatorUnits = { floor: 'm2', walls: 'm2', slab: 'm3', run: 'm', heat: 'w', water: 'm3' } as const satisfies Record<
  CalculatorKind,
  string
>

const doorArea = 1.8
const windowArea = 1.5
const wattsPerCubicMetre = [16, 24, 40]

export type Measures = Partial<Record<CalculatorField['name'], number>>
export interface Calculator {
  kind: CalculatorKind
  sparePercent: number
  coats: number
}

/** The result of the measurements, allowance and coats included; missing or invalid ones take their defaults. */
export function calculate({ kind, sparePercent, coats }: Calculator, given: Measures): number {
  const measure = (name: CalculatorField['name']): number => {
    const field = calculatorFields[kind].find((one) => one.name === name)
    const value = given[name]
    if (!field) return 0
    const isCount = name === 'doors' || name === 'windows'
    const isSound = value !== undefined && Number.isFinite(value) && value <= field.most && (isCount ? value >= 0 : value > 0)
    return isSound ? value : field.start
  }
  const area = measure('length') * measure('width')
  const bare = (): number => {
    switch (kind) {
      case 'floor':
        return area
      case 'walls': {
        const walls = 2 * (measure('length') + measure('width')) * measure('height')
        return Math.max(1, walls - measure('doors') * doorArea - measure('windows') * windowArea)
      }
      case 'slab':
      case 'water':
        return (area * measure('depth')) / 100
      case 'run':
        return measure('length')
      case 'heat':
        return area * measure('height') * (wattsPerCubicMetre[Math.round(measure('insulation')) - 1] ?? 24)
    }
  }
  const whole = bare() * coats * (1 + sparePercent / 100)
  return kind === 'heat' ? Math.ceil(whole / 50) * 50 : Math.round(whole * 100) / 100
}
