import type { CSSProperties, ReactNode } from 'react'
import styles from './icon.module.css'

/** Drawn in icons.css. */
export const iconNames = [
  'search',
  'cart',
  'person',
  'menu',
  'close',
  'heart',
  'plus',
  'minus',
  'check',
  'down',
  'left',
  'right',
  'truck',
  'box',
  'filter',
  'info',
  'warning',
  'good',
  'danger',
  'trash',
  'lock',
  'return',
  'store',
  'document',
  'pin',
  'card',
  'tag',
  'globe',
  'helmet',
  'shield',
  'clock',
  'bolt',
  'drop',
  'hammer',
  'roller',
  'zoom',
] as const
export type IconName = (typeof iconNames)[number]

export interface IconProps {
  name: IconName
  /** Width and height in pixels. */
  size?: number
  /** Accessible name, if no text next to it says the same. */
  label?: string
}

export function Icon({ name, size = 20, label }: IconProps): ReactNode {
  const style = { '--icon': `var(--icon-${name})`, ...(size !== 20 && { '--side': `${size / 16}rem` }) } as CSSProperties
  return <i className={styles.icon} style={style} role={label ? 'img' : undefined} aria-label={label} />
}
