import type { ReactNode } from 'react'

/** Drawn on a 24-pixel grid with 1.75 strokes; `filled` ones are solid. */
const strokes = {
  search: 'M10.5 17.5a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5',
  cart: 'M2.5 4h2.6l2.3 11.2h10.8L20.5 7H6M9 20.2a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0Zm9 0a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0Z',
  person: 'M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20.5c.8-4 4-6 8-6s7.2 2 8 6',
  menu: 'M3.5 6.5h17M3.5 12h17M3.5 17.5h17',
  close: 'm5.5 5.5 13 13m0-13-13 13',
  heart: 'M12 20S3.5 15 3.5 9A4.6 4.6 0 0 1 12 6.6 4.6 4.6 0 0 1 20.5 9c0 6-8.5 11-8.5 11Z',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  check: 'm4.5 12.5 5 5 10-11',
  down: 'm5.5 9 6.5 6.5L18.5 9',
  left: 'M15 5.5 8.5 12l6.5 6.5',
  right: 'm9 5.5 6.5 6.5L9 18.5',
  truck: 'M2.5 6h11.5v10.5H2.5zM14 9.5h4l3.5 3.5v3.5H14M8.5 18a2 2 0 1 1-4 0 2 2 0 0 1 4 0Zm10.5 0a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  box: 'm12 3 8.5 4.5v9L12 21l-8.5-4.5v-9L12 3Zm0 18v-9m0 0 8.5-4.5M12 12 3.5 7.5M7.7 5.3l8.6 4.5',
  filter: 'M3.5 7h10m5 0h2M3.5 17h2m5 0h10M18.5 7a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Zm-8 10a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-10v5.5M12 7.4v.2',
  warning: 'M12 3.5 2.5 20h19L12 3.5Zm0 6.5v4.5m0 2.9v.2',
  good: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm-4-9 3 3 5.5-6',
  danger: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8.5 8.5l7 7m0-7-7 7',
  trash: 'M4 6.5h16M9 6V3.5h6V6M6 6.5l1 14h10l1-14M10 10.5v6m4-6v6',
  lock: 'M5.5 11h13v9.5h-13zM8 11V7.5a4 4 0 0 1 8 0V11',
  return: 'M8.5 4 4 8.5 8.5 13M4 8.5h10.5a5.5 5.5 0 0 1 0 11H8',
  store: 'M4 10v10.5h16V10M2.5 8 5 3.5h14L21.5 8c0 3-4.7 3-4.7 0 0 3-4.8 3-4.8 0 0 3-4.8 3-4.8 0 0 3-4.7 3-4.7 0ZM10 20.5v-6h4v6',
  document: 'M6 2.5h8l4.5 4.5v14.5H6zM14 2.5V7h4.5M9 12h6.5M9 16h6.5',
  pin: 'M12 21.5s7-6.5 7-12a7 7 0 0 0-14 0c0 5.5 7 12 7 12Zm0-9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  card: 'M2.5 5.5h19v13h-19zM2.5 9.5h19M6 14.5h4',
  tag: 'M3.5 3.5h8.5l8.5 8.5-8.5 8.5L3.5 12V3.5Zm4.5 5.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3.5 12h17M12 3c-6 6-6 12 0 18m0-18c6 6 6 12 0 18',
  helmet: 'M3 17.5h18M4.5 17.5v-2a7.5 7.5 0 0 1 15 0v2M9.5 14V7.6a7 7 0 0 1 5 0V14',
  shield: 'm12 3 8 3v5.5c0 5-3.5 8-8 9.5-4.5-1.5-8-4.5-8-9.5V6l8-3Zm-3.5 8.5 2.5 2.5 4.5-5',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-14v5.5l3.5 2',
  bolt: 'M13 2.5 5 13.5h6l-1 8 8-11h-6l1-8Z',
  drop: 'M12 2.5s-7 7.5-7 12a7 7 0 0 0 14 0c0-4.5-7-12-7-12Zm-3.5 12a3.5 3.5 0 0 0 3.5 3.5',
  hammer: 'M3.5 20.5 12 12M9.5 9.5l5 5M8 7.5l5-4.5 7 1-2.5 2.5 3 3-4 4-8.5-6Z',
  roller: 'M3.5 3.5h14v6h-14zM17.5 6.5h3v6h-9v3M9.5 15.5h4v6h-4z',
  zoom: 'M10.5 17.5a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5M10.5 7.5v6m-3-3h6',
} as const
export type IconName = keyof typeof strokes

export interface IconProps {
  name: IconName
  /** Width and height in pixels. */
  size?: number
  /** Accessible name, if no text next to it says the same. */
  label?: string
  filled?: boolean
}

export function Icon({ name, size = 20, label, filled }: IconProps): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={size < 18 ? 2.1 : 1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <path d={strokes[name]} />
    </svg>
  )
}
