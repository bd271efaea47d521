/*
  Colorbox-like lightbox, version 1.2
  Vendored copy; upstream: https://lightbox.example.org (MIT). Do not edit here.
*/
(function ($) {
  "use strict";

  var defaults = { speed: 200, opacity: 0.8, closeOnEscape: true };

  $.fn.lightbox = function (options) {
    var settings = $.extend({}, defaults, options);
    return this.each(function () {
      $(this).on("click.lightbox", function (event) {
        event.preventDefault();
        var $overlay = $("<div class='lb-overlay'>").css("opacity", 0).appendTo("body");
        var $frame = $("<div class='lb-frame'>").append($("<img>").attr("src", this.href)).appendTo("body");
        $overlay.animate({ opacity: settings.opacity }, settings.speed);
        $overlay.one("click", close);
        if (settings.closeOnEscape) {
          $(document).on("keydown.lightbox", function (e) {
            if (e.key === "Escape") close();
          });
        }
        function close() {
          $overlay.add($frame).fadeOut(settings.speed, function () {
            $(this).remove();
          });
          $(document).off("keydown.lightbox");
        }
      });
    });
  };
})(jQuery);
