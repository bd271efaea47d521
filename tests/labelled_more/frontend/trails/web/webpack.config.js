const path = require('path');
const HtmlWebpackPlugin = require('html-webpack-plugin');
const MiniCssExtractPlugin = require('mini-css-extract-plugin');

module.exports = (env, { mode }) => ({
  entry: './src/boot.js',
  output: { path: path.resolve(__dirname, 'out'), filename: '[name].[contenthash:8].js', clean: true },
  devtool: mode === 'production' ? 'source-map' : 'eval-cheap-module-source-map',
  resolve: { alias: { 'react-native$': 'react-native-web' }, extensions: ['.web.js', '.js', '.jsx'] },
  module: {
    rules: [
      { test: /\.jsx?$/, exclude: /node_modules/, use: 'babel-loader' },
      { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
      { test: /\.(png|svg)$/, type: 'asset' },
    ],
  },
  plugins: [new HtmlWebpackPlugin({ template: 'src/shell.html' }), new MiniCssExtractPlugin()],
  devServer: { port: 4100, historyApiFallback: true, proxy: [{ context: ['/api'], target: 'http://localhost:9090' }] },
});
