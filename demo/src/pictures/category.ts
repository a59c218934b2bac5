import { hash, shade } from './colors.ts'
import { group } from './group.ts'
import type { Placed } from './group.ts'

interface Category {
  tint: string
  placed: readonly Placed[]
}

/** The products shown for each department: one to three, the nearest last, on a tint of its own. */
const categories: Readonly<Record<string, Category>> = {
  tools: {
    tint: '#dfe6ee',
    placed: [
      { thing: 'circular_saw', brand: 'Brexiro', attrs: { power_source: 'battery' }, x: 322, ground: 286, size: 244 },
      {
        thing: 'cordless_drill',
        brand: 'Tarvok',
        attrs: { color: 'blue', pack_content: 'kit1', capacity_ah: 5 },
        x: 152,
        ground: 306,
        size: 240,
      },
    ],
  },
  fixings: {
    tint: '#e6e3da',
    placed: [
      { thing: 'padlock', brand: 'Tornavex', attrs: { width_mm: 70 }, x: 354, ground: 280, size: 190 },
      { thing: 'screws', brand: 'Visdorel', attrs: { length_mm: 60, diameter: 5, drive: 'torx' }, x: 172, ground: 312, size: 250 },
    ],
  },
  building: {
    tint: '#e4e2dd',
    placed: [
      { thing: 'osb_panel', brand: 'Gravandor', attrs: { thickness: 18 }, x: 354, ground: 286, size: 226 },
      { thing: 'insulation', brand: 'Isolvento', attrs: { thickness: 100 }, x: 232, ground: 300, size: 178, flip: true },
      { thing: 'cement', brand: 'Betrovan', attrs: { weight_kg: 25 }, x: 122, ground: 310, size: 208 },
    ],
  },
  paint: {
    tint: '#e3e9e2',
    placed: [
      { thing: 'wall_paint', brand: 'Colvanta', attrs: { color: 'terracotta', volume: 10 }, x: 186, ground: 296, size: 236 },
      { thing: 'enamel', brand: 'Tintessa', attrs: { color: 'sage', volume: 0.75 }, x: 350, ground: 312, size: 206 },
    ],
  },
  flooring: {
    tint: '#ebe4d8',
    placed: [
      { thing: 'floor_tile', brand: 'Pisolune', attrs: { color: 'light_grey', tile: '60 x 60 cm' }, x: 320, ground: 236, size: 262 },
      { thing: 'parquet', brand: 'Parvelle', attrs: { color: 'natural_oak', width_mm: 140 }, x: 182, ground: 312, size: 306 },
    ],
  },
  electrical: {
    tint: '#e2e7eb',
    placed: [
      { thing: 'cable', brand: 'Kablorin', attrs: { length_m: 50, section: '3 x 2,5 mm²' }, x: 312, ground: 296, size: 246 },
      { thing: 'circuit_breaker', brand: 'Amperlan', attrs: { poles: 2, current: 20 }, x: 128, ground: 308, size: 208 },
    ],
  },
  lighting: {
    tint: '#efe6d2',
    placed: [
      { thing: 'tableLamp', brand: 'Lichtander', x: 320, ground: 304, size: 236 },
      { thing: 'led_bulb', brand: 'Lumovarde', attrs: { type: 'E27', kelvin: 2700, power: 11 }, x: 152, ground: 306, size: 210 },
    ],
  },
  plumbing: {
    tint: '#dee8ea',
    placed: [
      { thing: 'pvc_pipe', brand: 'Tubovara', attrs: { diameter: 110 }, x: 308, ground: 290, size: 280 },
      { thing: 'water_pump', brand: 'Pompadine', attrs: { type: 'clear_water', power: 750 }, x: 132, ground: 310, size: 226 },
    ],
  },
  bathroom: {
    tint: '#dfe9e8',
    placed: [
      { thing: 'vanity', brand: 'Sanitello', attrs: { width_cm: 100, color: 'natural_oak' }, x: 196, ground: 300, size: 290 },
      { thing: 'basin_tap', brand: 'Rubivanto', attrs: { finish: 'brass', height_cm: 25 }, x: 400, ground: 306, size: 186 },
    ],
  },
  kitchen: {
    tint: '#ece3dc',
    placed: [
      { thing: 'oven', brand: 'Kuchenza', attrs: { color: 'stainless_c' }, x: 188, ground: 308, size: 250 },
      { thing: 'pot', brand: 'Kuchenza', x: 370, ground: 312, size: 156 },
    ],
  },
  heating: {
    tint: '#ece2db',
    placed: [
      { thing: 'electric_radiator', brand: 'Warmadel', attrs: { power: 1500 }, x: 322, ground: 276, size: 248 },
      { thing: 'pellet_stove', brand: 'Brasenza', attrs: { color: 'red', power_kw: 10 }, x: 140, ground: 312, size: 252 },
    ],
  },
  garden: {
    tint: '#dfead8',
    placed: [
      { thing: 'parasol', brand: 'Ombralino', attrs: { color: 'beige', width_m: 3 }, x: 270, ground: 292, size: 272 },
      { thing: 'lawn_mower', brand: 'Verdalune', attrs: { power_source: 'battery', cut_width: 46 }, x: 180, ground: 316, size: 256 },
    ],
  },
  pool: {
    tint: '#d8edf2',
    placed: [
      { thing: 'pool_pump', brand: 'Piscadora', attrs: { power_cv: 1 }, x: 262, ground: 296, size: 300 },
      { thing: 'garden_hose', brand: 'Lagunero', attrs: { color: 'anthracite', length_m: 15 }, x: 118, ground: 324, size: 172 },
    ],
  },
  furniture: {
    tint: '#e9e3d9',
    placed: [
      { thing: 'shelving', brand: 'Stauvina', attrs: { shelves: 5, width_cm: 100 }, x: 352, ground: 302, size: 244 },
      {
        thing: 'wardrobe',
        brand: 'Mobelune',
        attrs: { color: 'natural_oak', type: 'sliding_d', doors_n: 3, width_cm: 200 },
        x: 172,
        ground: 312,
        size: 262,
      },
    ],
  },
  decor: {
    tint: '#ede6dc',
    placed: [
      { thing: 'tableLamp', brand: 'Tessolina', x: 352, ground: 296, size: 226 },
      { thing: 'vase', brand: 'Tessolina', x: 226, ground: 304, size: 224 },
      { thing: 'cushion', brand: 'Tessolina', attrs: { color: 'sage' }, x: 120, ground: 314, size: 172 },
    ],
  },
  security: {
    tint: '#e0e5ea',
    placed: [
      { thing: 'camera', brand: 'Vigilonda', x: 176, ground: 250, size: 232 },
      { thing: 'video_doorbell', brand: 'Domovara', x: 372, ground: 306, size: 226 },
      { thing: 'door_cylinder', brand: 'Schliessara', attrs: { cyl: '30x40 mm', finish: 'brass' }, x: 226, ground: 324, size: 158 },
    ],
  },
  workwear: {
    tint: '#ebe6d6',
    placed: [
      { thing: 'helmet', brand: 'Protevano', attrs: { color: 'yellow' }, x: 344, ground: 300, size: 214 },
      { thing: 'safety_boots', brand: 'Werkhusar', attrs: { color: 'brown', safety_class: 'S3' }, x: 150, ground: 312, size: 226 },
    ],
  },
  household: {
    tint: '#dde9ee',
    placed: [
      { thing: 'broom', brand: 'Pulitesse', x: 338, ground: 306, size: 262 },
      { thing: 'bucket', brand: 'Pulitesse', x: 210, ground: 306, size: 196 },
      { thing: 'sprayBottle', brand: 'Pulitesse', x: 92, ground: 314, size: 186 },
    ],
  },
}

/** The departments that have a picture. */
export const pictureDepartments: readonly string[] = Object.keys(categories)

/** A department's picture, 480 × 360: a few of its products on a tint. @throws RangeError for an unknown department. */
export function drawCategoryPicture(departmentKey: string): string {
  const category = Object.hasOwn(categories, departmentKey) ? categories[departmentKey] : undefined
  if (!category) throw new RangeError(`no picture for the department ${departmentKey}`)
  const { defs, body } = group(`category ${departmentKey}`, category.placed)
  const id = `c${hash(departmentKey).toString(36)}`
  const stops = `<stop stop-color="${shade(category.tint, 0.5)}"/><stop offset=".74" stop-color="${shade(category.tint, 0.1)}"/><stop offset="1" stop-color="${shade(category.tint, -0.05)}"/>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360" viewBox="0 0 480 360"><defs>` +
    `<linearGradient id="${id}" x2="0" y2="1">${stops}</linearGradient>${defs}</defs>` +
    `<path d="M0 0H480V360H0Z" fill="url(#${id})"/>${body}</svg>`
  )
}
