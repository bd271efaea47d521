"""Rows for the interface family: what a person sees."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = {
    "ui_component": "code_file",
    "authentication_form": "code_file",
    "page_template": "code_file",
    "email_template": "code_file document",
    "stylesheet": "code_file",
    "client_state": "code_file",
}

ROWS = (
    # ui_component
    Row("ui_component", "feature", "component",
        6.0, "no=test_function,password_input notformat=python,ruby,php,go,shell"),
    Row("ui_component", "feature", "component", 2.0, "no=test_function,password_input format=python,ruby,php,go"),
    Row("ui_component", "feature", "component", 2.5, "has=password_input no=test_function"),
    Row("ui_component", "feature", "markup", 2.0, "format=jsx,tsx,vue,svelte,javascript,typescript no=test_function"),
    Row("ui_component", "format", "vue svelte", 3.0),
    Row("ui_component", "format", "jsx tsx", 1.5, "no=test_function"),
    Row("ui_component", "import", "react vue svelte preact solid-js angular lit flutter swiftui compose prop-types",
        1.5),
    Row("ui_component", "import", "styled-components material chakra-ui antd headlessui react-native customelements",
        1.0),
    Row("ui_component", "import", "appendto fadeout animate addclass queryselector createelement addeventlistener",
        1.2, "format=javascript,typescript no=test_function"),
    Row("ui_component", "import", "classlist innerhtml getelementbyid insertadjacenthtml toggleclass",
        1.2, "format=javascript,typescript no=test_function"),
    Row("ui_component", "name", "component button modal widget dropdown card table_row navbar sidebar tooltip", 1.0),
    Row("ui_component", "path", "component widget ui", 1.8),
    Row("ui_component", "path", "button modal dialog card navbar sidebar header footer frontend", 1.0),
    # authentication_form
    Row("authentication_form", "feature", "password_input", 8.0, "no=test_function"),
    Row("authentication_form", "feature", "form", 2.0, "has=password_input"),
    Row("authentication_form", "name", "login signin signup register password sign_in sign_up",
        1.2, "has=form,password_input"),
    Row("authentication_form", "path", "login signin signup register registration password",
        2.2, "has=form,password_input"),
    # page_template
    Row("page_template", "format", "html", 5.0, "no=password_input,email_markup"),
    Row("page_template", "format", "html", 2.5, "has=password_input,email_markup"),
    Row("page_template", "feature", "template_tag", 2.5, "format=html no=password_input,email_markup"),
    Row("page_template", "feature", "template_tag", 2.5, "notformat=html,sql,yaml,shell,hcl,vue,svelte has=markup"),
    Row("page_template", "feature", "markup", 5.0, "format=php,generic,ruby no=route"),
    Row("page_template", "feature", "markup", 2.0, "format=html no=password_input,email_markup"),
    Row("page_template", "format", "jinja template", 3.0),
    Row("page_template", "folder", "pages layouts",
        4.0, "format=jsx,tsx,vue,svelte,html,javascript has=component,markup"),
    Row("page_template", "stem", "layout page _app _document", 4.0, "has=component,markup"),
    Row("page_template", "path", "page layout template view", 1.5, "has=markup,template_tag,component"),
    # email_template
    Row("email_template", "feature", "email_markup", 6.5),
    Row("email_template", "folder", "emails email mail mailers mailer", 5.5, "format=html,text,markdown,jinja"),
    Row("email_template", "folder", "emails email_templates", 4.0, "format=html,text,markdown"),
    Row("email_template", "path", "email mail newsletter welcome receipt",
        1.8, "format=html,text,markdown,tsx,jsx,jinja"),
    Row("email_template", "feature", "template_tag", 1.5, "format=jinja"),
    # stylesheet
    Row("stylesheet", "format", "css", 10.0),
    Row("stylesheet", "feature", "style_rule", 4.0, "format=css"),
    Row("stylesheet", "path", "style css theme", 1.5, "format=css"),
    # client_state
    Row("client_state", "feature", "hook", 5.0, "no=test_function,markup,component,http_call"),
    Row("client_state", "feature", "hook", 3.5, "has=http_call no=test_function,markup,component"),
    Row("client_state", "feature", "hook", 1.0, "has=markup,component"),
    Row("client_state", "import", "redux toolkit zustand pinia vuex mobx recoil jotai react-router-dom vue-router ngrx",
        2.5, "no=markup"),
    Row("client_state", "import",
        "react-router reselect redux-saga redux-thunk react-query xstate createslice createstore",
        2.5, "no=markup"),
    Row("client_state", "import", "usestate useeffect usereducer usecontext createcontext usememo usecallback writable",
        1.0),
    Row("client_state", "name", "reducer store slice selector dispatch use",
        0.9, "format=javascript,typescript,jsx,tsx,vue"),
    Row("client_state", "folder", "store stores hooks composables redux slices reducers",
        3.0, "format=javascript,typescript,jsx,tsx no=test_function"),
    Row("client_state", "path", "store hook state redux slice reducer context router composable",
        1.5, "format=javascript,typescript,jsx,tsx"),
)
