const plugin = require('tailwindcss/plugin')

module.exports = {
  content: ['./index.html', './src/**/*.{js,jsx}'],
  darkMode: ['selector', '[data-oven="night"]'],
  theme: {
    extend: {
      colors: { crust: '#b5763a', dough: '#f6ead7', rye: { 500: '#6b4a2f', 700: '#4a321f' } },
      fontFamily: { sign: ['"Alfa Slab One"', 'serif'] },
    },
  },
  plugins: [require('@tailwindcss/forms'), plugin(({ addVariant }) => addVariant('late', '&[data-late="1"]'))],
}
